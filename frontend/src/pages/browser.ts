/** The account of the worker whose token this browser has. */

import { browserPlace, type Place } from "../work/browser";
import { tokenIn } from "../work/token";
import { Account, type Sources } from "./account.svelte";

export function sourcesOf({ session, api, store }: Pick<Place, "session" | "api" | "store">): Sources {
  const kept = async () => (session.subject === null ? [] : store.list(session.subject));
  return {
    me: () => api.me(),
    kept,
    signIn(tokenOrLink) {
      const token = tokenIn(tokenOrLink);
      if (token !== null) session.take(token);
      return token !== null;
    },
    async signOut(forget) {
      if (forget) {
        for (const { subject, draft } of await kept()) await store.update(subject, draft.page.id, () => null);
      }
      session.forget();
    },
  };
}

export function account(): Account {
  return new Account(sourcesOf(browserPlace()));
}
