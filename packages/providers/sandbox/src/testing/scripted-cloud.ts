import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { CallContext, CallDescription, Send } from "@cloudwright/provider-api";

export interface ScriptedAnswer {
  readonly status?: number;
  readonly body?: unknown;
  /** Sent instead of a JSON body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the connection without an answer. */
  readonly drop?: boolean;
}

export interface ScriptedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** A cloud that answers as a test specifies. */
export interface ScriptedCloud {
  readonly endpoint: string;
  /** Path and query of every request, in order. */
  readonly requests: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  close(): Promise<void>;
}

export async function startScriptedCloud(
  answer: (url: URL, request: ScriptedRequest) => ScriptedAnswer,
): Promise<ScriptedCloud> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    authorizations.push(request.headers.authorization);
    const { method = "GET", headers: sent } = request;
    const url = new URL(path, "http://cloud");
    const { status = 200, body, text, headers, drop } = answer(url, { method, headers: sent });
    if (drop === true) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "x-request-id": `req-${requests.length}`, ...headers });
    response.end(text ?? JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    authorizations,
    close: () => closeServer(server),
  };
}

/** A context for tests, without limit or deadline; it records the provider's calls. */
export function testContext(signal: AbortSignal = new AbortController().signal): CallContext & {
  readonly calls: readonly CallDescription[];
} {
  const calls: CallDescription[] = [];
  return {
    signal,
    calls,
    call: async <T>(description: CallDescription, send: Send<T>) => {
      calls.push(description);
      return (await send(signal, () => true)).value;
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  await closed;
}
