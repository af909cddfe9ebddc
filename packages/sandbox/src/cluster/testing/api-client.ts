import { Agent, request } from "undici";

/** How a test reaches an API server. */
export interface Access {
  readonly server: string;
  readonly ca: string;
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReportedNode {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Plain HTTP to an API server: tests check what is actually sent. */
export class ApiClient {
  readonly #access: Access;
  readonly #agent: Agent;

  constructor(access: Access) {
    const { ca, certificate: cert, key } = access;
    this.#access = access;
    this.#agent = new Agent({
      connect: {
        ca,
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
      },
    });
  }

  /** Sends a text body unchanged, any other as JSON. */
  async ask(method: string, path: string, options: AskOptions = {}): Promise<ReportedNode> {
    const { statusCode, headers, body } = await this.open(method, path, options);
    return { status: statusCode, headers, text: await body.text() };
  }

  /** Returns the answer as JSON. */
  async json<T>(method: string, path: string, options: AskOptions = {}): Promise<T> {
    const { text } = await this.ask(method, path, options);
    return JSON.parse(text) as T;
  }

  /** Returns the answer before its body is read. */
  open(method: string, path: string, options: AskOptions = {}) {
    const { body, contentType, accept, headers } = options;
    const { server, token } = this.#access;
    return request(`${server}${path}`, {
      dispatcher: this.#agent,
      method: method as "GET",
      headers: {
        "user-agent": "sandbox-test",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": contentType ?? "application/json" }),
        ...(accept === undefined ? {} : { accept }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
