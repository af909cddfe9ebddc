import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Agent, type Dispatcher, request } from "undici";

/** One request of a client to an API. */
export interface RelayedRequest {
  /** Counts from 1, in order of arrival. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** What the client received; 0 if there was no answer. Undefined while it waits. */
  readonly status: number | undefined;
  readonly endedAt: number | undefined;
}

/**
 * What happens to a request: an answer instead of the API's; the API's own answer, delayed until `after`, or changed; `lose`: the
 * work is done and the connection dropped; `hang`: neither, until the client disconnects; undefined: the next rule decides, and
 * finally the API.
 */
export type Fate =
  | RefusalInstead
  /** An answer whose body is this text. */
  | { readonly status: number; readonly text: string }
  | { readonly after: Promise<unknown> }
  /** The work is done, and the client receives this instead of the API's answer. */
  | { readonly instead: (text: string) => string }
  | "lose"
  | "hang"
  | undefined;

export interface RefusalInstead {
  readonly status: number;
  readonly code: string;
  /** The value of `Retry-After`. */
  readonly retryAfter?: number | string;
  readonly message?: string;
}

export interface RelayRule<Call = RelayedRequest> {
  fits(call: Call): boolean;
  /** How often it strikes; if absent, until it is lifted. */
  readonly times?: number;
  /** May be asynchronous; the client waits until then. */
  strike(call: Call): Fate | Promise<Fate>;
}

/** What a relay knows about the API behind it. */
export interface RelayedApi<About extends object> {
  /** Returns the URL for a request with this path and query. */
  urlOf(path: string): string;
  /** Returns what can be derived from a request. */
  about(request: Pick<RelayedRequest, "method" | "path" | "body">): About;
  /** Returns the text of an answer as the client receives it. */
  answer(text: string): string;
  /** Returns the body with which the API itself would refuse. */
  refusal(request: About, refusal: RefusalInstead): object;
  /** Headers passed on to the client, starting with that of the request's id. */
  readonly keptHeaders: readonly [requestId: string, ...others: string[]];
}

/** PEM texts of a server; without them it speaks plain HTTP. */
export interface RelayCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface RelayOptions {
  readonly certificate?: RelayCertificate;
  /** The address of this machine that clients use; loopback if absent. */
  readonly address?: string;
}

export const LOOPBACK = "127.0.0.1";

/** A relay to an API that records every request with its body, and can inject faults. */
export class HttpRelay<About extends object> {
  readonly endpoint: string;
  readonly #server: Server;
  readonly #api: RelayedApi<About>;
  readonly #agent = new Agent({ connections: 64 });
  readonly #calls: (RelayedRequest & About)[] = [];
  #rules: { readonly rule: RelayRule<RelayedRequest & About>; left: number }[] = [];
  #handled: (call: RelayedRequest & About) => void = () => undefined;
  #answered: (call: RelayedRequest & About) => void = () => undefined;

  private constructor(server: Server, endpoint: string, api: RelayedApi<About>) {
    this.#server = server;
    this.#api = api;
    this.endpoint = endpoint;
    server.on("request", (incoming, outgoing) => void this.#take(incoming, outgoing));
  }

  /** `apiAt` receives the relay's own endpoint, without a trailing slash. */
  static async open<About extends object>(
    apiAt: (endpoint: string) => RelayedApi<About>,
    { certificate, address = LOOPBACK }: RelayOptions = {},
  ): Promise<HttpRelay<About>> {
    const server = certificate === undefined ? createServer() : createTlsServer(certificate);
    const port = await listening(server, address);
    const scheme = certificate === undefined ? "http" : "https";
    const endpoint = `${scheme}://${address}:${port}`;
    return new HttpRelay(server, endpoint, apiAt(endpoint));
  }

  get calls(): readonly (RelayedRequest & About)[] {
    return this.#calls;
  }

  /** Adds a rule, active until the returned function is called. Earlier rules take precedence. */
  rule(rule: RelayRule<RelayedRequest & About>): () => void {
    const entry = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#rules.push(entry);
    return () => {
      this.#rules = this.#rules.filter((other) => other !== entry);
    };
  }

  /** Calls the listener with each request once the API has processed it, before its answer reaches the client. */
  onHandled(listener: (call: RelayedRequest & About) => void): void {
    this.#handled = listener;
  }

  /** Calls the listener with each request once the last byte of its answer has been sent to the client. */
  onAnswered(listener: (call: RelayedRequest & About) => void): void {
    this.#answered = listener;
  }

  /** Removes all rules and listeners. */
  liftAll(): void {
    this.#rules = [];
    this.#handled = () => undefined;
    this.#answered = () => undefined;
  }

  forget(): void {
    this.#calls.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#agent.destroy();
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const text = await textOf(incoming);
      await this.#relay(this.#enter(incoming, outgoing, text), { incoming, outgoing, sent: text });
    } catch {
      // If the API or the client is gone, the other one sees a dropped connection.
      outgoing.destroy();
    }
  }

  async #relay(
    call: RelayedRequest & About,
    { incoming, outgoing, sent }: Exchange,
  ): Promise<void> {
    const fate = await this.#fateOf(call);
    if (fate === "hang") return;
    if (typeof fate === "object" && "status" in fate)
      return this.#answerInstead(outgoing, call, fate);
    const answer = await this.#forward(incoming, sent);
    this.#handled(call);
    if (fate === "lose") return void outgoing.destroy();
    if (fate !== undefined && "after" in fate) await fate.after;
    const text = fate !== undefined && "instead" in fate ? fate.instead(answer.text) : answer.text;
    outgoing.writeHead(answer.status, answer.headers).end(text);
  }

  #enter(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    text: string,
  ): RelayedRequest & About {
    const { pathname, search } = new URL(incoming.url ?? "/", this.endpoint);
    const method = incoming.method ?? "GET";
    const body = objectOf(text);
    const record: Writable<RelayedRequest> = {
      ...{ number: this.#calls.length + 1, at: Date.now(), method, path: pathname },
      ...{ query: search.slice(1), body, status: undefined, endedAt: undefined },
    };
    const call: RelayedRequest & About = Object.assign(
      record,
      this.#api.about({ method, path: pathname, body }),
    );
    this.#calls.push(call);
    outgoing.once("finish", () => this.#answered(call));
    outgoing.once("close", () => {
      record.status = outgoing.writableFinished ? outgoing.statusCode : 0;
      record.endedAt = Date.now();
    });
    return call;
  }

  async #fateOf(call: RelayedRequest & About): Promise<Fate> {
    for (const entry of [...this.#rules]) {
      if (entry.left <= 0 || !entry.rule.fits(call)) continue;
      entry.left -= 1;
      const fate = await entry.rule.strike(call);
      if (fate !== undefined) return fate;
    }
    return undefined;
  }

  async #forward(incoming: IncomingMessage, text: string) {
    const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers;
    const answer = await request(this.#api.urlOf(incoming.url ?? "/"), {
      dispatcher: this.#agent,
      method: (incoming.method ?? "GET") as Dispatcher.HttpMethod,
      headers,
      body: text === "" ? null : text,
    });
    return {
      status: answer.statusCode,
      headers: kept(answer.headers, this.#api.keptHeaders),
      text: this.#api.answer(await answer.body.text()),
    };
  }

  #answerInstead(
    outgoing: ServerResponse,
    call: About,
    fate: Extract<Fate, { readonly status: number }>,
  ): void {
    const text = "text" in fate ? fate.text : JSON.stringify(this.#api.refusal(call, fate));
    const retryAfter = "retryAfter" in fate ? { "retry-after": String(fate.retryAfter) } : {};
    outgoing
      .writeHead(fate.status, {
        "content-type": "application/json",
        [this.#api.keptHeaders[0]]: "relay",
        ...retryAfter,
      })
      .end(text);
  }
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** What the client sent. */
  readonly sent: string;
}

type Writable<Call> = { -readonly [Member in keyof Call]: Call[Member] };

function listening(server: Server, at: string): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, at, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port was given"));
      else resolve(address.port);
    });
  });
}

function kept(
  headers: NodeJS.Dict<string | string[]>,
  names: readonly string[],
): Record<string, string | string[]> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns undefined for anything but a JSON object. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
