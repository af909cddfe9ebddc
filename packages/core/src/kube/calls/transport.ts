import type { IncomingHttpHeaders } from "node:http";
import { fencedDispatch } from "@cloudwright/provider-api/http";
import type { Dispatcher } from "undici";
import type { Credentials, TlsOptions } from "../access/credentials.ts";
import type { ClusterAccess } from "../access/kubeconfig.ts";
import { type LookupTiming, openConnections } from "./connections.ts";
import type { Deadline } from "./deadline.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, without the server's own prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadline: Deadline;
  /** Whether it is sent even if the fence is closed; reads always are. */
  readonly passesFence?: boolean;
}

interface AnswerHead {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
}

export interface HttpAnswer extends AnswerHead {
  readonly body: Buffer;
}

/** An answer whose body has just begun, such as a watch's. */
export interface OpenAnswer extends AnswerHead {
  readonly body: Dispatcher.ResponseData["body"];
}

/** Keep-alive HTTP/1.1 to one cluster. Connections are reopened when their certificates change. */
export interface Transport {
  readonly host: string;
  /**
   * Throws undici's error when no answer comes. After a 401 the request is sent once more with freshly read
   * credentials.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Does the same, but resolves as soon as the body begins; the caller must read or destroy the body. */
  open(request: HttpRequest): Promise<OpenAnswer>;
  /** Aborts every open request and closes every connection. */
  close(): Promise<void>;
}

export interface TransportOptions extends LookupTiming {
  /** A write fails with NotSent if this is closed right before its first byte is sent. */
  readonly fence?: () => boolean;
}

export function createTransport(access: ClusterAccess, options: TransportOptions): Transport {
  const url = new URL(access.server);
  const prefix = url.pathname === "/" ? "" : url.pathname.replace(/\/+$/, "");
  const pools = createPools(new URL(url.origin), options);

  /** Takes no turn of the event loop if the credentials are known, as each call would pay for it. */
  function withConnections<T>(
    request: HttpRequest,
    ask: (given: Prepared) => Promise<T>,
  ): Promise<T> {
    const credentials = access.credentials();
    if (!(credentials instanceof Promise)) return ask(prepared(request, credentials));
    return orAborted(credentials, request.deadline.signal).then((found) =>
      ask(prepared(request, found)),
    );
  }

  function prepared(request: HttpRequest, credentials: Credentials): Prepared {
    const { reading, writing } = pools.current(credentials);
    const isFree = request.method === "GET" || request.passesFence === true;
    const options = {
      origin: url.origin,
      method: request.method,
      path: prefix + request.path,
      headers: { ...request.headers, ...credentials.headers },
      body: request.body ?? null,
      // Callers have their own deadlines: a watch may be silent for long, a list may take its time.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    return { connections: isFree ? reading : writing, options };
  }

  const send = (request: HttpRequest): Promise<HttpAnswer> =>
    withConnections(request, (given) => exchange(given, request.deadline));

  const open = (request: HttpRequest): Promise<OpenAnswer> =>
    withConnections(request, ({ connections, options }) =>
      connections.request({ ...options, signal: request.deadline.signal }),
    );

  return {
    host: url.host,
    send: async (request) => {
      const answer = await send(request);
      if (answer.statusCode !== 401) return answer;
      access.renew();
      return send(request);
    },
    open: async (request) => {
      const answer = await open(request);
      if (answer.statusCode !== 401) return answer;
      await answer.body.dump();
      access.renew();
      return open(request);
    },
    close: pools.close,
  };
}

interface Prepared {
  readonly connections: Dispatcher;
  readonly options: Dispatcher.DispatchOptions;
}

/**
 * Makes one request and reads its whole answer; rejects with undici's error, or with why the deadline ended. undici's own `request`
 * makes a stream of every body, which costs more than the rest of a call for an object of a few kilobytes.
 */
function exchange({ connections, options }: Prepared, deadline: Deadline): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    if (deadline.ended !== undefined) throw deadline.ended.reason;
    connections.dispatch(options, new Exchange(deadline, resolve, reject));
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #deadline: Deadline;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #statusCode = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(
    deadline: Deadline,
    resolve: (answer: HttpAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#deadline = deadline;
    this.#resolve = resolve;
    this.#reject = reject;
    deadline.onEnd((reason) => this.#end(reason));
  }

  /** The caller may have given up while the request waited for a connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { ended } = this.#deadline;
    if (ended !== undefined) this.#end(ended.reason);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first, ...more] = this.#chunks;
    const body = first !== undefined && more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#resolve({ statusCode: this.#statusCode, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }

  #end(reason: unknown): void {
    this.#reject(reason);
    this.#controller?.abort(toError(reason));
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** A credential plug-in may hang and takes no signal: the caller then stops waiting for it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(
        new Error("the kubeconfig's credentials were not available in time", {
          cause: signal.reason,
        }),
      );
    };
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

interface Pools {
  current(credentials: Credentials): Connections;
  close(): Promise<void>;
}

interface Connections {
  readonly made: Credentials;
  readonly reading: Dispatcher;
  /** The same connections, behind the fence. */
  readonly writing: Dispatcher;
}

function createPools(origin: URL, { fence, ...names }: TransportOptions): Pools {
  const all = new Set<Dispatcher>();
  let newest: Connections | undefined;

  function replace(credentials: Credentials): Connections {
    const old = newest?.reading;
    const reading = openConnections(origin, credentials, names);
    const writing = fence === undefined ? reading : fencedDispatch(reading, fence);
    const opened = { made: credentials, reading, writing };
    newest = opened;
    all.add(reading);
    // Lets running requests finish on their old connections.
    void old?.close().then(
      () => all.delete(old),
      () => all.delete(old),
    );
    return opened;
  }

  return {
    current: (credentials) =>
      newest !== undefined && isSameConnection(newest.made, credentials)
        ? newest
        : replace(credentials),
    close: async () => {
      newest = undefined;
      await Promise.all([...all].map((pool) => pool.destroy()));
      all.clear();
    },
  };
}

const TLS_FIELDS: readonly (keyof TlsOptions)[] = [
  "ca",
  "cert",
  "key",
  "servername",
  "rejectUnauthorized",
];

function isSameConnection(one: Credentials, other: Credentials): boolean {
  if (one === other) return true;
  if (one.proxyUrl !== other.proxyUrl) return false;
  return TLS_FIELDS.every((field) => one.tls[field] === other.tls[field]);
}
