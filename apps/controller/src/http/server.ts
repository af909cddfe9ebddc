import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { Writable } from "node:stream";
import { TLSSocket } from "node:tls";
import type { AccessAnswer, AccessQuestion } from "./access.ts";
import { clientCertificate, headersOf } from "./client-certificate.ts";
import { listen, serverEnding } from "./listen.ts";
import { type Page, type Pages, textPage } from "./pages.ts";

export interface HttpsServerOptions {
  readonly host: string;
  /** 0 takes a free port: that the flag's 0 means no listener is the caller's business. */
  readonly port: number;
  readonly tls: ServerOptions;
  /** Undefined: only HTTP/1.1 (`--disable-http2-serving`). */
  readonly http2?: { readonly maxStreams: number };
  /** Whether to request client certificates; an untrusted one does not end the connection. */
  readonly asksForCertificates?: boolean;
  readonly pages: Pages;
  access(question: AccessQuestion): Promise<AccessAnswer>;
  /** Called with the error behind a 500. */
  onError(error: unknown): void;
}

export interface HttpsServer {
  readonly port: number;
  /** Verifies the certificates of new callers against these PEM authorities. */
  trust(authorities: readonly string[]): void;
  /** Presents this certificate to new callers; existing connections stay open. */
  renew(tls: ServerOptions): void;
  /** Gives pending responses a moment to finish; closes idle connections. */
  close(): Promise<void>;
}

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** Serves pages over TLS. Throws PlainError if it cannot listen. */
export async function startHttpsServer(options: HttpsServerOptions): Promise<HttpsServer> {
  const server = createListener(options, (request, response) => {
    answer(options, request)
      .catch((error: unknown) => {
        options.onError(error);
        return textPage(500, "the request failed with an internal error; see this process's log");
      })
      .then((page) => send(request, response, page))
      .catch(options.onError);
  });
  const end = serverEnding(server);
  const endSessions = sessionsOf(server);
  let { tls } = options;
  let trusted: ServerOptions = {};
  const apply = () => server.setSecureContext({ ...tls, ...trusted });
  const { host, port } = options;
  await listen(server, { host, port, chosenBy: "--bind-address and --secure-port" });
  return {
    port: (server.address() as AddressInfo).port,
    trust: (authorities) => {
      trusted = { ca: [...authorities] };
      apply();
    },
    renew: (next) => {
      tls = next;
      apply();
    },
    close: () => {
      const ended = end();
      endSessions();
      if ("closeIdleConnections" in server) server.closeIdleConnections();
      return ended;
    },
  };
}

function createListener(
  { tls, http2, asksForCertificates = false }: HttpsServerOptions,
  onRequest: (request: Request, response: Response) => void,
): Server | Http2SecureServer {
  const options = { ...tls, requestCert: asksForCertificates, rejectUnauthorized: false };
  if (http2 === undefined) return createServer(options, onRequest);
  const settings = { maxConcurrentStreams: http2.maxStreams };
  return createSecureServer({ ...options, allowHTTP1: true, settings }, onRequest);
}

/** HTTP/2 connections stay open unless they are closed: returns a function that closes all of them, and any that follow. */
function sessionsOf(server: Server | Http2SecureServer): () => void {
  const sessions = new Set<ServerHttp2Session>();
  let isEnding = false;
  server.on("session", (session: ServerHttp2Session) => {
    if (isEnding) return session.close();
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return () => {
    isEnding = true;
    for (const session of sessions) session.close();
  };
}

/** Any value will do: only path and query are read. */
const ORIGIN = "https://localhost";

async function answer(options: HttpsServerOptions, request: Request): Promise<Page> {
  const target = request.url ?? "/";
  // Such as `//`, which no well-behaved client sends.
  if (!URL.canParse(target, ORIGIN)) return textPage(400, "Bad Request\n");
  const url = new URL(target, ORIGIN);
  const verb = (request.method ?? "GET").toLowerCase();
  const verdict = await options.access({
    path: url.pathname,
    verb,
    token: bearerToken(request),
    certificate: certificateOf(request),
    headers: headersOf(request.rawHeaders),
  });
  const refusal = refusalOf(verdict, options);
  if (refusal !== undefined) return refusal;
  const page = options.pages.get(url.pathname);
  if (page === undefined) return textPage(404, "404 page not found\n");
  if (!page.verbs.includes(verb)) return textPage(405, "Method Not Allowed\n");
  return await page.answer({ query: url.searchParams, verb, body: () => readBody(request) });
}

function refusalOf(verdict: AccessAnswer, options: HttpsServerOptions): Page | undefined {
  switch (verdict.kind) {
    case "allowed":
      return undefined;
    case "unauthenticated":
      return textPage(401, "Unauthorized\n");
    case "forbidden":
      return textPage(403, `${verdict.message}\n`);
    case "unknown":
      options.onError(verdict.error);
      return textPage(
        503,
        "the API server could not be asked whether you may read this; try again\n",
      );
  }
}

function bearerToken({ headers }: Request): string | undefined {
  const match = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "");
  return match?.[1];
}

function certificateOf({ socket }: Request): AccessQuestion["certificate"] {
  return socket instanceof TLSSocket ? clientCertificate(socket) : undefined;
}

function send(request: Request, response: Response, page: Page): void {
  request.resume();
  response.statusCode = page.status;
  response.setHeader("content-type", page.type);
  response.setHeader("content-length", Buffer.byteLength(page.body));
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("cache-control", "no-cache, private");
  const stream: Writable = response;
  if (request.method === "HEAD") stream.end();
  else stream.end(page.body);
}

const MOST_BYTES = 1_024;

/** Reads a small body. Throws an Error above 1 KiB. */
async function readBody(request: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > MOST_BYTES) throw new Error(`A request's body is longer than ${MOST_BYTES} bytes.`);
    parts.push(buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}
