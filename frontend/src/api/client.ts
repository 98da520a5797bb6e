/** The API as typed calls. Each ends in time, and says how it ended instead of throwing. */

import createClient from "openapi-fetch";
import { failure, retryAfter, type Failure, type Result } from "./result";
import type { paths } from "./schema";
import { isLease, isMe, isNothing, isPage, isReceiptFor, isToken, isWaitingList } from "./shape";
import type { Lease, Me, Page, Receipt, Reply, Stage, Waiting } from "./types";

export interface Api {
  /** A new page, or the one in hand (status 200); null: no work now. */
  claim(stage: Stage): Promise<Result<Page | undefined>>;
  page(id: string): Promise<Result<Page>>;
  submit(id: string, answers: Reply[]): Promise<Result<Receipt>>;
  renew(id: string): Promise<Result<Lease>>;
  giveBack(id: string): Promise<Result<undefined>>;
  stages(): Promise<Result<Waiting[]>>;
  me(): Promise<Result<Me>>;
  /** A fresh token for the same worker. */
  token(): Promise<Result<{ token: string }>>;
}

/** Where the bearer token comes from. */
export interface Tokens {
  current(): string | null;
  /** The server does not take this one (any more): another to try, or null. */
  rejected(token: string): string | null;
}

export interface Options {
  /** Of the server, without a slash at the end. */
  base?: string;
  fetch?: (request: Request) => Promise<Response>;
  /** Milliseconds a call may take. */
  patience?: number;
}

/** What came was not from the API: a portal, a proxy, a page. */
class Stranger extends Error {
  constructor(readonly response: Response) {
    super("The reply is not from the server.");
  }
}

type Init = { headers: { Authorization: string }; signal: AbortSignal };
type Call = (init: Init) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
const NO_TOKEN: Failure = { ok: false, kind: "unauthorised", detail: "" };

export function createApi(tokens: Tokens, options: Options = {}): Api {
  const { base = location.origin, fetch: send = (r: Request) => fetch(r), patience = 20_000 } = options;
  const client = createClient<paths>({
    baseUrl: base,
    credentials: "omit",
    // A picture link or an answer must never come from a cache, nor from wherever a portal sends us.
    cache: "no-store",
    redirect: "error",
    fetch: async (request) => {
      const response = await send(request);
      const type = response.headers.get("Content-Type") ?? "";
      if (response.status !== 204 && !/^application\/(problem\+)?json\b/.test(type))
        throw new Stranger(response);
      return response;
    },
  });

  async function once<T>(call: Call, token: string, is: (data: unknown) => data is T): Promise<Result<T>> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), patience);
    try {
      const { data, error, response } = await call({
        headers: { Authorization: `Bearer ${token}` },
        signal: abort.signal,
      });
      const wait = retryAfter(response.headers.get("Retry-After"), Date.now());
      if (!response.ok) return failure(response.status, error, wait);
      if (!is(data)) return { ok: false, kind: "offline", detail: "The reply is not from the server." };
      return { ok: true, status: response.status, data, retryAfter: wait };
    } catch (error) {
      if (error instanceof Stranger && (error.response.status >= 500 || error.response.status === 429))
        return failure(
          error.response.status,
          null,
          retryAfter(error.response.headers.get("Retry-After"), Date.now()),
        );
      // No network, no time left, cut off in the middle, or a reply that is no JSON: all the same to us.
      return { ok: false, kind: "offline", detail: error instanceof Error ? error.message : "" };
    } finally {
      clearTimeout(timer);
    }
  }

  async function run<T>(call: Call, is: (data: unknown) => data is T): Promise<Result<T>> {
    for (let token = tokens.current(); token !== null;) {
      const result = await once(call, token, is);
      if (result.ok || result.kind !== "unauthorised") return result;
      token = tokens.rejected(token);
      if (token === null) return result;
    }
    return NO_TOKEN;
  }

  const at = (id: string) => ({ params: { path: { assignment_id: id } } });
  const one = "/api/v1/assignments/{assignment_id}" as const;
  const isPageOrNothing = (data: unknown): data is Page | undefined => data === undefined || isPage(data);
  return {
    claim: (stage) =>
      run(
        (init) => client.POST("/api/v1/assignments", { ...init, body: { stage, key: "" } }),
        isPageOrNothing,
      ),
    page: (id) => run((init) => client.GET(one, { ...init, ...at(id) }), isPage),
    submit: (id, answers) =>
      run(
        (init) => client.POST(`${one}/submission`, { ...init, ...at(id), body: { answers } }),
        isReceiptFor(id),
      ),
    renew: (id) => run((init) => client.POST(`${one}/renewal`, { ...init, ...at(id) }), isLease),
    giveBack: (id) => run((init) => client.POST(`${one}/return`, { ...init, ...at(id) }), isNothing),
    stages: () => run((init) => client.GET("/api/v1/stages", init), isWaitingList),
    me: () => run((init) => client.GET("/api/v1/me", init), isMe),
    token: () => run((init) => client.POST("/api/v1/token", init), isToken),
  };
}
