/** Which page belongs to an address. Django serves the same document for all addresses. */

import { isStage } from "../api/shape";
import type { Stage } from "../api/types";
import { SITE } from "../api/site";

export type Route =
  | { page: "home" }
  | { page: "me" }
  | { page: "join" }
  | { page: "stage"; stage: Stage }
  | { page: "preview"; stage: Stage }
  /**
   * Somebody comes from a platform. `token` names what was published there: a stage, or a batch whose stage is
   * not known yet.
   */
  | { page: "crowd"; stage: Stage | typeof ANY; token: string }
  | { page: "unknown" };

/** In place of a stage: the one that needs whoever comes. */
export const ANY = "any";
const ROOT = SITE + "work/";

/** Returns the route of a path (`location.pathname`). The last slash may be missing. */
export function routeOf(path: string): Route {
  const own = path.replace(SITE, ""); // of what is not below it, the first slash stays
  // The last part of a batch's address may be the participant.
  const [, wanted, token, whose] = /^work\/crowd\/([a-z_]+)\/([\w-]+)(\/[\w-]+)?\/?$/.exec(own) ?? [];
  if (token && (wanted === ANY || (!whose && isStage(wanted))))
    return { page: "crowd", stage: wanted, token };
  const found = /^work(?:\/(preview))?(?:\/([a-z_]+))?\/?$/.exec(own);
  const [, preview, name] = found ?? [];
  if (found && !preview && !name) return { page: "home" };
  if (!preview && (name === "me" || name === "join")) return { page: name };
  if (isStage(name)) return { page: preview ? "preview" : "stage", stage: name };
  return { page: "unknown" };
}

/** Returns the path of a route. An unknown route leads home. */
export function pathOf(route: Route): string {
  if (route.page === "me" || route.page === "join") return `${ROOT}${route.page}/`;
  if (route.page === "stage") return `${ROOT}${route.stage}/`;
  if (route.page === "preview") return `${ROOT}preview/${route.stage}/`;
  if (route.page === "crowd") return `${ROOT}crowd/${route.stage}/${route.token}/`;
  return ROOT;
}
