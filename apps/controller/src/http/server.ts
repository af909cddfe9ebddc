import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { PlainError } from "../plain-error.ts";
import type { AccessAnswer, AccessQuestion } from "./access.ts";
import type { Page, Pages } from "./pages.ts";

export interface HttpsServerOptions {
  readonly host: string;
  /** 0 takes a free one: the flag's 0, no listener, is the caller's business. */
  readonly port: number;
  readonly tls: ServerOptions;
  readonly pages: Pages;
  access(question: AccessQuestion): Promise<AccessAnswer>;
  /** Told of what went wrong behind an answer of 500. */
  onError(error: unknown): void;
}

export interface HttpsServer {
  readonly port: number;
  /** Lets running answers finish; ends idle connections. */
  close(): Promise<void>;
}

/** Serves pages over TLS. Throws PlainError when it cannot listen. */
export async function startHttpsServer(options: HttpsServerOptions): Promise<HttpsServer> {
  const server = createServer(options.tls, (request, response) => {
    answer(options, request)
      .catch((error: unknown) => {
        options.onError(error);
        return text(500, "the request failed inside; see this process's log");
      })
      .then((page) => send(request, response, page))
      .catch(options.onError);
  });
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function answer(options: HttpsServerOptions, request: IncomingMessage): Promise<Page> {
  const url = new URL(request.url ?? "/", "https://localhost");
  const verb = (request.method ?? "GET").toLowerCase();
  const verdict = await options.access({ path: url.pathname, verb, token: bearerToken(request) });
  const refusal = refusalOf(verdict, options);
  if (refusal !== undefined) return refusal;
  const page = options.pages.get(url.pathname);
  if (page === undefined) return text(404, "404 page not found\n");
  if (verb !== "get" && verb !== "head") return text(405, "Method Not Allowed\n");
  return await page(url.searchParams);
}

function refusalOf(verdict: AccessAnswer, options: HttpsServerOptions): Page | undefined {
  switch (verdict.kind) {
    case "allowed":
      return undefined;
    case "unauthenticated":
      return text(401, "Unauthorized\n");
    case "forbidden":
      return text(403, `${verdict.message}\n`);
    case "unknown":
      options.onError(verdict.error);
      return text(503, "the API server could not be asked whether you may read this; try again\n");
  }
}

function bearerToken({ headers }: IncomingMessage): string | undefined {
  const match = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "");
  return match?.[1];
}

function text(status: number, body: string): Page {
  return { status, type: "text/plain; charset=utf-8", body };
}

function send(request: IncomingMessage, response: ServerResponse, page: Page): void {
  request.resume();
  response.writeHead(page.status, {
    "content-type": page.type,
    "content-length": Buffer.byteLength(page.body),
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache, private",
  });
  response.end(request.method === "HEAD" ? undefined : page.body);
}

function listen(
  server: ReturnType<typeof createServer>,
  { host, port }: HttpsServerOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "it is in use" : cause.message;
      reject(
        new PlainError(
          `HTTPS cannot listen on ${host} port ${port}: ${why}; choose others by --bind-address and --secure-port.`,
          { cause },
        ),
      );
    });
    server.listen({ host, port }, resolve);
  });
}
