import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request as received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent instead of a JSON body. */
  readonly text?: string;
}

/** An HTTP server with a test's answers, and every request that it received. */
export interface HttpService {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Returns the requests for one path, such as `GET /servers/detail`. */
  requests(named: string): readonly SeenRequest[];
  close(): Promise<void>;
}

export async function startHttpService(
  answer: (request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<HttpService> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (message, response) => {
    const url = new URL(message.url ?? "/", "http://service");
    const body = await text(message);
    const request = {
      method: message.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: message.headers,
      body: body === "" ? undefined : JSON.parse(body),
    };
    seen.push(request);
    const answered = await answer(request);
    response.writeHead(answered.status ?? 200, answered.headers);
    response.end(
      answered.text ?? (answered.body === undefined ? "" : JSON.stringify(answered.body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    requests: (named) => seen.filter(({ method, path }) => `${method} ${path}` === named),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
