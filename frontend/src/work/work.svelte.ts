/** One worker at one stage: the page in hand, the answers so far, and where they are kept. (stub: contract) */

export type { Aside, Kept, LeaseState, Phase, WorkView } from "./view";
