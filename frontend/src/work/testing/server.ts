/** For tests: a small server that keeps the API's promises, and a network that does not. */

import type { Item, Page, Reply, Stage } from "../../api/types";

/**
 * What happens to a request. `before`: it is lost on the way to the server. `after`: its reply is lost.
 * `twice`: it arrives two times. `portal`: a hotel's sign-in page answers in the server's place.
 */
export type Fault = "none" | "before" | "after" | "twice" | "busy" | "broken" | "portal";

interface Assignment {
  worker: string;
  stage: Stage;
  items: number[];
  state: Page["state"];
  expires: number;
  receipt: { accepted: number; acknowledged: number } | null;
}

export interface Accepted {
  page: string;
  item: number;
  reply: Reply;
}

const TERM = 600;
const JSON_TYPE = { "Content-Type": "application/json" };

export class Server {
  faults: Fault[] = [];
  network = true;
  /** Tokens that are not valid any more. */
  ended = new Set<string>();
  /** All judgments, in the order of arrival. */
  accepted: Accepted[] = [];
  late: Accepted[] = [];
  assignments = new Map<string, Assignment>();
  calls: string[] = [];
  /** Refuses the answer at this place of every page (400), until it is another answer. */
  refuses: ((reply: Reply) => boolean) | null = null;
  #free: number[];
  #made = 0;

  /** `now` in seconds. */
  constructor(
    items: number,
    private readonly aPage: number,
    private readonly now: () => number,
  ) {
    this.#free = Array.from({ length: items }, (_, n) => n + 1);
  }

  fetch = async (request: Request): Promise<Response> => {
    const fault = this.faults.shift() ?? "none";
    const body: unknown = request.method === "POST" ? JSON.parse((await request.text()) || "null") : null;
    if (!this.network || fault === "before") throw new TypeError("Failed to fetch");
    if (fault === "portal")
      return new Response("<h1>Welcome to our hotel</h1>", { headers: { "Content-Type": "text/html" } });
    if (fault === "busy") return problem(503, "The server is busy.", { "Retry-After": "2" });
    if (fault === "broken")
      return new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } });
    if (fault === "twice") this.#answer(request, body);
    const response = this.#answer(request, body);
    if (fault === "after") throw new TypeError("Failed to fetch");
    return response;
  };

  /** The sweep: leases that ran out are given to others. */
  expire(): void {
    for (const page of this.assignments.values())
      if (page.state === "live" && page.expires < this.now()) this.#release(page, "expired");
  }

  /** Takes back the pages of this worker, even if their leases have not run out. */
  revoke(): void {
    for (const page of this.assignments.values()) page.expires = Math.min(page.expires, this.now() - 1);
    this.expire();
  }

  #release(page: Assignment, state: Page["state"]): void {
    page.state = state;
    this.#free.push(...page.items);
  }

  #answer(request: Request, body: unknown): Response {
    const path = new URL(request.url).pathname.replace("/api/v1/", "");
    this.calls.push(`${request.method} ${path}`);
    const token = (request.headers.get("Authorization") ?? "").replace("Bearer ", "");
    if (token === "" || this.ended.has(token))
      return problem(401, "This token has ended: open your newest link again.");
    const worker = token.split(":")[0] ?? "";
    const [name, id, action] = path.split("/");
    if (name === "token") return json({ token: `${worker}:fresh${++this.#made}:s` });
    if (name !== "assignments") return problem(404, "There is nothing at this address.");
    if (id === undefined) return this.#claim(worker, (body as { stage: Stage }).stage);
    const page = this.assignments.get(id);
    if (!page || page.worker !== worker) return problem(404, "There is no such page of yours.");
    if (action === undefined) return json(this.#shown(id, page));
    if (action === "submission") {
      const { answers, next } = body as { answers: Reply[]; next?: boolean };
      return this.#submit(id, page, answers, next === true);
    }
    if (action === "renewal") {
      if (page.state !== "live") return problem(409, "The lease of this page is over.");
      page.expires = this.now() + TERM;
      return json({ expires_at: new Date(page.expires * 1000).toISOString(), expires_in: TERM });
    }
    if (page.state === "live") this.#release(page, "returned");
    return new Response(null, { status: 204 });
  }

  #claim(worker: string, stage: Stage): Response {
    const { page, created } = this.#lease(worker, stage);
    if (page === null) return new Response(null, { status: 204, headers: { "Retry-After": "2" } });
    return json(page, created ? 201 : 200);
  }

  #lease(worker: string, stage: Stage): { page: Page | null; created: boolean } {
    for (const [id, page] of this.assignments)
      if (page.worker === worker && page.stage === stage && page.state === "live")
        return { page: this.#shown(id, page), created: false };
    const judged = new Set(this.accepted.map(({ item }) => item));
    const items = this.#free.filter((item) => !judged.has(item)).slice(0, this.aPage);
    if (items.length === 0) return { page: null, created: false };
    this.#free = this.#free.filter((item) => !items.includes(item));
    const id = `page-${++this.#made}`;
    const page = { worker, stage, items, state: "live" as const, expires: this.now() + TERM, receipt: null };
    this.assignments.set(id, page);
    return { page: this.#shown(id, page), created: true };
  }

  #shown(id: string, page: Assignment): Page {
    return {
      id,
      stage: page.stage,
      state: page.state,
      expires_at: new Date(page.expires * 1000).toISOString(),
      expires_in: page.expires - this.now(),
      reward: { amount: 5, currency: "EUR" },
      usual_seconds: 60,
      drawing: { method: "drag", minimum_side: 3 },
      items: page.items.map((item, n) => question(item, n + 1, this.calls.length)),
    };
  }

  #submit(id: string, page: Assignment, answers: Reply[], next: boolean): Response {
    const reward = { amount: 5, currency: "EUR" };
    const receipt = (status: number): Response => {
      const follows = next && { next: this.#lease(page.worker, page.stage).page };
      return json({ id, ...page.receipt, reward, ...follows }, status);
    };
    if (page.receipt) return receipt(200);
    const errors = answers.flatMap((reply, n) =>
      this.refuses?.(reply) ? [{ pointer: `/answers/${n}/answer`, detail: "must be otherwise" }] : [],
    );
    if (answers.length !== page.items.length)
      errors.push({ pointer: "/answers", detail: "items without an answer" });
    if (errors.length > 0) return problem(400, "The answers cannot be taken.", {}, errors);
    const judged = new Set(this.accepted.map(({ item }) => item));
    for (const reply of answers) {
      const item = page.items[reply.item - 1] ?? 0;
      const wanted = page.state === "live" || (!judged.has(item) && this.#free.includes(item));
      (wanted ? this.accepted : this.late).push({ page: id, item, reply });
    }
    const count = this.accepted.filter((a) => a.page === id).length;
    page.receipt = { accepted: count, acknowledged: answers.length - count };
    page.state = "submitted";
    this.#free = this.#free.filter((item) => !page.items.includes(item));
    return receipt(201);
  }
}

function question(id: number, place: number, seen: number): Item {
  const captions = [{ index: 0, segments: [{ text: `Thing ${id}`, mention: true }] }];
  return {
    item: place,
    question: { image: { id: String(id), url: `/media/${id}?${seen}`, width: 9, height: 9 }, captions },
  };
}

function json(data: unknown, status = 200): Response {
  return new Response(JSON.stringify(data), { status, headers: JSON_TYPE });
}

function problem(status: number, detail: string, headers: object = {}, errors?: object[]): Response {
  const body = { type: "about:blank", title: "", status, detail, ...(errors ? { errors } : {}) };
  const all = { "Content-Type": "application/problem+json", ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}
