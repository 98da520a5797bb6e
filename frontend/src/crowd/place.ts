/** Where somebody who comes from a platform works: with a token for nothing but the pages of one place. */

import { createApi, type Api, type Tokens } from "../api/client";
import type { Result } from "../api/result";
import type { Me, Stage, Standing } from "../api/types";
import { placeOf, type Place } from "../work/browser";
import { Session } from "../work/session";
import { vault, type Vault } from "../work/vault";
import type { Begun } from "./visit.svelte";

/** The standing of somebody who has done nothing, besides the stage and whether it is open. */
export const NOTHING_DONE: Omit<Standing, "stage" | "standing"> = {
  retry_in: null,
  waiting: false,
  reward: null,
  usual_seconds: null,
  pay_by: null,
  pages: 0,
  judgments: 0,
  seconds: 0,
};

/** For calls that need no token. */
const ANYBODY: Tokens = { current: () => "anybody", rejected: () => null };

export const openApi = (): Api => createApi(ANYBODY);

/** The token is in memory only. After a reload, the address says again who the worker is. */
function forgetful(): Vault {
  return vault(() => {
    throw new Error("Nothing is kept.");
  });
}

/** The token of a single page is not exchanged for a fresh one. */
class OneSession extends Session {
  override async freshen(): Promise<void> {}
}

/**
 * The calls for a token that does not open the worker's account. What is known of the worker is the reason for
 * which the last claim was refused.
 */
export function callsOf(api: Api, { contact }: Pick<Begun, "contact">): Api {
  let refused: { stage: Stage; standing: Standing["standing"] } | null = null;
  return {
    ...api,
    async claim(stage) {
      const said = await api.claim(stage);
      refused = !said.ok && said.kind === "refused" ? { stage, standing: said.standing ?? "blocked" } : null;
      return said;
    },
    me(): Promise<Result<Me>> {
      const stages = refused ? [{ ...NOTHING_DONE, ...refused }] : [];
      const data = { worker: "", project: "", contact, earned: [], stages, weeks: [], captions: null };
      return Promise.resolve({ ok: true, status: 200, retryAfter: null, data });
    },
  };
}

export function crowdPlace(begun: Begun): Place {
  const session = new OneSession(forgetful(), forgetful(), () => Date.now());
  session.take(begun.token);
  return placeOf(session, forgetful(), callsOf(createApi(session), begun));
}
