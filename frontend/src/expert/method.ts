/** Whether boxes are drawn by four points. It is kept in the browser, for later images. */

import { vault } from "../work/vault";

const SETTING = "groundcrew-expert-points";
const kept = vault(() => localStorage);

export const byPoints = (): boolean => kept.get(SETTING) === "on";
export const keepPoints = (points: boolean): void => kept.set(SETTING, points ? "on" : "off");
