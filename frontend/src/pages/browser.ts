/** The account of the worker whose token this browser has. */

import { browserPlace, type Place } from "../work/browser";
import { settles } from "../work/outbox";
import { tokenIn } from "../work/token";
import { Account, type Sources } from "./account.svelte";

export type Used = Pick<Place, "session" | "api" | "store" | "tabs" | "outbox">;

export function sourcesOf({ session, api, store, tabs, outbox }: Used): Sources {
  const kept = async () => (session.subject === null ? [] : store.list(session.subject));
  return {
    me: () => api.me(),
    kept,
    listen(changed) {
      const ends = [
        session.listen(changed),
        tabs.listen(({ kind }) => kind === "settled" && changed()),
        outbox.listen({ sent: (_, result) => settles(result) && changed() }),
      ];
      return () => ends.forEach((end) => end());
    },
    signIn(tokenOrLink) {
      const token = tokenIn(tokenOrLink);
      if (token !== null) session.take(token);
      void outbox.drain();
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
