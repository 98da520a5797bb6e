/** The API as typed calls. Each call ends in time, and returns how it ended instead of throwing. */

import { failure, retryAfter, type Failure, type Result } from "./result";
import { isLease, isMe, isNothing, isPage, isReceiptFor, isToken, isWaitingList } from "./shape";
import type { Lease, Me, Page, Receipt, Reply, Stage, Waiting } from "./types";

export interface Api {
  /** A new page, or the page that the worker holds (status 200). Null: there is no work now. */
  claim(stage: Stage): Promise<Result<Page | undefined>>;
  page(id: string): Promise<Result<Page>>;
  /** `next`: the page that follows is to come with the receipt. */
  submit(id: string, answers: Reply[], next?: boolean): Promise<Result<Receipt>>;
  renew(id: string): Promise<Result<Lease>>;
  giveBack(id: string): Promise<Result<undefined>>;
  stages(): Promise<Result<Waiting[]>>;
  me(): Promise<Result<Me>>;
  /** A fresh token for the same worker. */
  token(): Promise<Result<{ token: string }>>;
  /** Any other call, for parts of the pages that are loaded when they are wanted. */
  call<T>(call: Call, is: (data: unknown) => data is T): Promise<Result<T>>;
}

/** Where the bearer token comes from. */
export interface Tokens {
  current(): string | null;
  /** The server does not accept this token, or not any more. Returns another one to try, or null. */
  rejected(token: string): string | null;
}

export interface Options {
  /** The server's address, without a slash at the end. */
  base?: string;
  fetch?: (request: Request) => Promise<Response>;
  /** Milliseconds a call may take. */
  patience?: number;
}

/** The reply was not the API's: it came from a portal, a proxy or a page. */
class Stranger extends Error {
  constructor(readonly response: Response) {
    super("The reply is not from the server.");
  }
}

export interface Call {
  method: "GET" | "POST";
  /** The path below /api/v1/. */
  path: string;
  body?: object;
}
const NO_TOKEN: Failure = { ok: false, kind: "unauthorised", detail: "" };

export function createApi(tokens: Tokens, options: Options = {}): Api {
  const { base = document.baseURI, fetch: send = (r: Request) => fetch(r), patience = 20_000 } = options;

  async function reply({ method, path, body }: Call, token: string, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json", Authorization: `Bearer ${token}` };
    if (body) headers["Content-Type"] = "application/json";
    const response = await send(
      new Request(`${base}api/v1/${path}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        signal,
        credentials: "omit",
        // A picture link or an answer must never come from a cache, nor from an address to which a portal
        // redirects.
        cache: "no-store",
        redirect: "error",
      }),
    );
    const type = response.headers.get("Content-Type") ?? "";
    if (response.status !== 204 && !/^application\/(problem\+)?json\b/.test(type))
      throw new Stranger(response);
    return response;
  }

  async function once<T>(call: Call, token: string, is: (data: unknown) => data is T): Promise<Result<T>> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), patience);
    try {
      const response = await reply(call, token, abort.signal);
      const data: unknown = response.status === 204 ? undefined : await response.json();
      const wait = retryAfter(response.headers.get("Retry-After"), Date.now());
      if (!response.ok) return failure(response.status, data, wait);
      if (!is(data)) return { ok: false, kind: "offline", detail: "The reply is not from the server." };
      return { ok: true, status: response.status, data, retryAfter: wait };
    } catch (error) {
      if (error instanceof Stranger && (error.response.status >= 500 || error.response.status === 429))
        return failure(
          error.response.status,
          null,
          retryAfter(error.response.headers.get("Retry-After"), Date.now()),
        );
      // No network, no time left, cut off in the middle, or a reply that is not JSON: they are treated alike.
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

  const get = (path: string): Call => ({ method: "GET", path });
  const post = (path: string, body?: object): Call => ({ method: "POST", path, ...(body && { body }) });
  const of = (id: string): string => `assignments/${encodeURIComponent(id)}`;
  const isPageOrNothing = (data: unknown): data is Page | undefined => data === undefined || isPage(data);
  return {
    claim: (stage) => run(post("assignments", { stage, key: "" }), isPageOrNothing),
    page: (id) => run(get(of(id)), isPage),
    submit: (id, answers, next) =>
      run(post(`${of(id)}/submission`, { answers, ...(next && { next }) }), isReceiptFor(id)),
    renew: (id) => run(post(`${of(id)}/renewal`), isLease),
    giveBack: (id) => run(post(`${of(id)}/return`), isNothing),
    stages: () => run(get("stages"), isWaitingList),
    me: () => run(get("me"), isMe),
    token: () => run(post("token"), isToken),
    call: run,
  };
}
