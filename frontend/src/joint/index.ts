/** The views of the joint stages. They are about all boxes of a chain at once, and are loaded on demand. */

import type { Component } from "svelte";
import type { JointStage } from "../api/types";
import type { StageProps } from "../stages/props";
import CheckAll from "./CheckAll.svelte";
import DrawAll from "./DrawAll.svelte";

export const JOINT_VIEWS: Record<JointStage, Component<StageProps>> = { boxes: DrawAll, check: CheckAll };
