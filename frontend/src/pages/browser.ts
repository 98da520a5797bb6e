/** The account of the worker whose token is in this browser. */

import { keptTests } from "../work/kept-tests";
import { browserPlace, type Place } from "../work/browser";
import { settles } from "../work/outbox";
import type { Store } from "../work/store";
import { tokenIn } from "../work/token";
import { Account, type Sources } from "./account.svelte";

export type Used = Pick<Place, "session" | "api" | "store" | "tabs" | "outbox">;

export function sourcesOf({ session, api, store, tabs, outbox }: Used): Sources {
  const keptIn = async (place: Store) => (session.subject === null ? [] : place.list(session.subject));
  const kept = () => keptIn(store);
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
    known: () => session.subject !== null,
    signIn(tokenOrLink) {
      const token = tokenIn(tokenOrLink);
      if (token !== null) session.take(token);
      void outbox.drain();
      return token !== null;
    },
    async signOut(forget) {
      if (forget) {
        for (const place of [store, keptTests()])
          for (const { subject, draft } of await keptIn(place))
            await place.update(subject, draft.page.id, () => null);
      }
      session.forget();
    },
  };
}

export function account(): Account {
  return new Account(sourcesOf(browserPlace()));
}
