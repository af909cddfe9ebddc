import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EndlessFault } from "@cloudwright/provider-api/kit";
import { request } from "undici";

/** The maximum bytes of an answer that the provider under test reads. */
export const MAX_ANSWER_BYTES = 1_048_576;
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const TABLE = { id: "t-1", name: "main", used: 0, capacity: 9 };
const COLLECTION = /^\/v1\/[a-z-]+$/;

/** A proxy between the provider and its cloud that makes answers endless; requests are still carried out. */
export class EndlessProxy {
  fault: EndlessFault | undefined;
  readonly #target: string;
  readonly #server: Server;
  #answers = 0;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((asked, answer) => void this.#pass(asked, answer));
  }

  static async open(target: string): Promise<EndlessProxy> {
    const proxy = new EndlessProxy(target);
    await new Promise<void>((done) => proxy.#server.listen(0, "127.0.0.1", done));
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async play(fault: EndlessFault): Promise<() => Promise<void>> {
    this.fault = fault;
    return async () => {
      this.fault = undefined;
    };
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = asked;
    const { host: _, connection: _c, "content-length": _l, ...headers } = asked.headers;
    const body = await text(asked);
    try {
      const passed = await request(`${this.#target}${url}`, {
        method: method as "GET",
        headers,
        ...(body === "" ? {} : { body }),
      });
      const said = await passed.body.text();
      const {
        "content-length": _b,
        "transfer-encoding": _t,
        connection: _d,
        ...kept
      } = passed.headers;
      const endless = this.#endless(method, new URL(url, "http://cloud"));
      // A cloud whose listing never ends accepts the cursors that it returns.
      answer.writeHead(endless !== undefined && method === "GET" ? 200 : passed.statusCode, kept);
      answer.end(endless ?? said);
    } catch {
      // The cloud closed the connection, so the proxy closes it as well.
      asked.socket.destroy();
    }
  }

  /** Only listings have endless pages; every other answer is then the cloud's own. */
  #endless(method: string, { pathname }: URL): string | undefined {
    this.#answers += 1;
    if (this.fault === "huge")
      return JSON.stringify({ items: [], filler: "x".repeat(MAX_ANSWER_BYTES) });
    if (this.fault === "deep") return DEEP;
    if (this.fault === undefined || method !== "GET" || !COLLECTION.test(pathname))
      return undefined;
    const next = this.fault === "sameCursor" ? "cursor" : `cursor-${this.#answers}`;
    return JSON.stringify({ items: [], table: TABLE, next });
  }
}
