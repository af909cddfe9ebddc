import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent, type Dispatcher, request } from "undici";
import { SERVICE_TAG } from "./load-balancers.ts";

/** One request of a client on its way to the cloud. */
export interface RelayedCall {
  /** From 1, in order of arrival. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The Service that it is about, `namespace/name`, as the tags of a load balancer or of a firewall rule tell it. */
  readonly service: string | undefined;
  /** What the client got; 0 when it got no answer. Undefined while it waits. */
  readonly status: number | undefined;
  readonly endedAt: number | undefined;
}

/**
 * What becomes of a request: an answer in place of the cloud's; the cloud's own, which the client gets only `after`
 * something else; `lose`: the work is done and the connection dropped; `hang`: neither, until the client leaves;
 * undefined: the next rule, and at last the cloud.
 */
export type Fate =
  | RefusalInstead
  /** An answer whose body is this text. */
  | { readonly status: number; readonly text: string }
  | { readonly after: Promise<unknown> }
  | "lose"
  | "hang"
  | undefined;

export interface RefusalInstead {
  readonly status: number;
  readonly code: string;
  /** Of `Retry-After`, as it is written. */
  readonly retryAfter?: number | string;
  readonly message?: string;
}

export interface RelayRule {
  fits(call: RelayedCall): boolean;
  /** How often it strikes; absent means until it is lifted. */
  readonly times?: number;
  /** May take its time, which the client then waits. */
  strike(call: RelayedCall): Fate | Promise<Fate>;
}

/**
 * A way to the cloud's API that keeps every request with its body and can tell one Service's requests from another's, as
 * the cloud's own journal and faults cannot.
 */
export class CloudRelay {
  readonly endpoint: string;
  readonly #server: Server;
  readonly #target: URL;
  readonly #agent = new Agent({ connections: 64 });
  readonly #calls: Writable[] = [];
  readonly #owners = new Map<string, string>();
  #rules: { readonly rule: RelayRule; left: number }[] = [];
  #handled: (call: RelayedCall) => void = () => undefined;
  #answered: (call: RelayedCall) => void = () => undefined;

  private constructor(server: Server, target: URL, port: number) {
    this.#server = server;
    this.#target = target;
    this.endpoint = `http://127.0.0.1:${port}`;
    server.on("request", (incoming, outgoing) => void this.#take(incoming, outgoing));
  }

  static async to(endpoint: string): Promise<CloudRelay> {
    const server = createServer();
    const port = await new Promise<number>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        if (address === null || typeof address === "string") reject(new Error("no port was given"));
        else resolve(address.port);
      });
    });
    return new CloudRelay(server, new URL(endpoint), port);
  }

  get calls(): readonly RelayedCall[] {
    return this.#calls;
  }

  /** In force until the answer is called. Earlier rules are asked first. */
  rule(rule: RelayRule): () => void {
    const entry = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#rules.push(entry);
    return () => {
      this.#rules = this.#rules.filter((other) => other !== entry);
    };
  }

  /** Is told of each request once the cloud has done what it asks for, before its answer reaches the client. */
  onHandled(listener: (call: RelayedCall) => void): void {
    this.#handled = listener;
  }

  /** Is told of each request once the last byte of its answer has left for the client. */
  onAnswered(listener: (call: RelayedCall) => void): void {
    this.#answered = listener;
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
    const text = await textOf(incoming);
    const { pathname, search } = new URL(incoming.url ?? "/", this.#target);
    const body = objectOf(text);
    const call: Writable = {
      number: this.#calls.length + 1,
      at: Date.now(),
      method: incoming.method ?? "GET",
      path: pathname,
      query: search.slice(1),
      body,
      service: this.#ownerOf(pathname, body),
      status: undefined,
      endedAt: undefined,
    };
    this.#calls.push(call);
    const end = (status: number) => {
      if (call.endedAt !== undefined) return;
      call.status = status;
      call.endedAt = Date.now();
    };
    outgoing.once("finish", () => this.#answered(call));
    outgoing.once("close", () => end(outgoing.writableFinished ? outgoing.statusCode : 0));
    try {
      const fate = await this.#fateOf(call);
      if (fate === "hang") return;
      if (typeof fate === "object" && "status" in fate) return answerInstead(outgoing, fate);
      const answer = await this.#forward(incoming, call, text);
      this.#learn(answer.text);
      this.#handled(call);
      if (fate === "lose") return void outgoing.destroy();
      if (fate !== undefined) await fate.after;
      outgoing.writeHead(answer.status, answer.headers).end(answer.text);
    } catch {
      // The cloud or the client is gone: the other one is to see a dropped connection.
      outgoing.destroy();
    }
  }

  async #fateOf(call: RelayedCall): Promise<Fate> {
    for (const entry of [...this.#rules]) {
      if (entry.left <= 0 || !entry.rule.fits(call)) continue;
      entry.left -= 1;
      const fate = await entry.rule.strike(call);
      if (fate !== undefined) return fate;
    }
    return undefined;
  }

  async #forward(incoming: IncomingMessage, call: RelayedCall, text: string) {
    const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers;
    const url = `${this.#target.origin}${incoming.url ?? "/"}`;
    const answer = await request(url, {
      dispatcher: this.#agent,
      method: call.method as Dispatcher.HttpMethod,
      headers,
      body: text === "" ? null : text,
    });
    return {
      status: answer.statusCode,
      headers: kept(answer.headers),
      text: await answer.body.text(),
    };
  }

  #ownerOf(path: string, body: RelayedCall["body"]): string | undefined {
    const tags = body?.tags as Record<string, string> | undefined;
    return tags?.[SERVICE_TAG] ?? this.#owners.get(path.split("/").at(-1) ?? "");
  }

  /** Whose the load balancers and rules are that an answer shows. */
  #learn(text: string): void {
    const answer = objectOf(text);
    const items = Array.isArray(answer?.items) ? answer.items : [answer];
    for (const item of items as ({ id?: string; tags?: Record<string, string> } | undefined)[]) {
      const service = item?.tags?.[SERVICE_TAG];
      if (item?.id !== undefined && service !== undefined) this.#owners.set(item.id, service);
    }
  }
}

type Writable = { -readonly [Member in keyof RelayedCall]: RelayedCall[Member] };

const KEPT_HEADERS = ["content-type", "x-request-id", "retry-after"];

function kept(headers: NodeJS.Dict<string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function answerInstead(
  outgoing: ServerResponse,
  fate: Extract<Fate, { readonly status: number }>,
): void {
  const requestId = "relay";
  const text =
    "text" in fate
      ? fate.text
      : JSON.stringify({ error: { code: fate.code, message: messageOf(fate), requestId } });
  const retryAfter = "retryAfter" in fate ? { "retry-after": String(fate.retryAfter) } : {};
  outgoing
    .writeHead(fate.status, {
      "content-type": "application/json",
      "x-request-id": requestId,
      ...retryAfter,
    })
    .end(text);
}

function messageOf({ code, message = `the relay says ${code}` }: RefusalInstead): string {
  return message;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
