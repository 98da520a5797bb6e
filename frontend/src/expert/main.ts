/** The expert screen: one person annotates a whole image. */

import { embed } from "../console/embed";
import Expert from "./Expert.svelte";
import { readSetup } from "./setup";

void embed("expert", Expert, readSetup);
