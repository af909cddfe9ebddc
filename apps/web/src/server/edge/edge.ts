import { randomUUID } from "node:crypto";
import { IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BASE } from "../http-api/base.ts";
import { PROBLEM_TYPE, problemCode, problemText } from "../http-api/problem.ts";
import { inLanguageOf } from "../language/serve-languages.ts";
import { processWide } from "../process-wide.ts";
import { peerHeader } from "../requests/client.ts";
import { LIMITS } from "./limits.ts";
import { answerPacked } from "./packed.ts";
import { apiRefusal, type Refusal } from "./refusal.ts";

/**
 * Guards everything that this process serves: notes the peer's address, bounds the body, and ensures that every answer has the default
 * headers. Next creates its server itself and offers no hook before it, so the edge listens where the server announces a request.
 */
export function guardEdge(): void {
  processWide("edge", () => {
    const { emit } = Server.prototype;
    Server.prototype.emit = function (this: Server, event: string | symbol, ...given: unknown[]) {
      const pass = (...changed: unknown[]) =>
        Reflect.apply(emit, this, [event, ...changed]) as boolean;
      if (event === "request") {
        const [request, response] = given as [IncomingMessage, ServerResponse];
        receive(request, response, (checked) => {
          if (answerPacked(checked, response)) return;
          inLanguageOf(checked, () => pass(checked, response));
        });
        return true;
      }
      if (event === "clientError") return refuseUnread(given as [UnreadError, Socket]);
      return pass(...given);
    };
    return true;
  });
}

type Serve = (request: IncomingMessage) => void;

function receive(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
  request.headers[peerHeader()] = request.socket.remoteAddress ?? "";
  addDefaultHeaders(response);
  const most = hasSession(request) ? LIMITS.body : LIMITS.bodySignedOut;
  const length = declaredLength(request);
  if (!isReadable(request.url ?? "")) refuse(request, response, UNREADABLE);
  else if (length === 0) serve(request);
  else if (length !== undefined && length > most) refuse(request, response, tooLong(most));
  else serveWithBody({ request, response, most }, serve);
}

interface Bounded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly most: number;
}

function serveWithBody({ request, response, most }: Bounded, serve: Serve): void {
  gatherBody(request, most).then(
    (body) => {
      if (body === undefined) refuse(request, response, tooLong(most));
      else serve(withBody(request, body));
    },
    () => response.destroy(),
  );
}

/** A path whose escapes do not decode to UTF-8 throws in any code that parses it. */
function isReadable(url: string): boolean {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

const UNREADABLE: Refusal = {
  status: 400,
  sentence: "The address is not percent-encoded UTF-8: correct it.",
};

/** The session is not verified yet; a forged one only permits a longer body. */
function hasSession({ headers }: IncomingMessage): boolean {
  return headers.cookie?.includes("cloudwright.session_token=") ?? false;
}

function tooLong(most: number): Refusal {
  const sentence = `The request is longer than ${most / 1024} KiB: send less at a time.`;
  return { status: 413, sentence };
}

/** A client that is cut off while it is still sending would not see the answer, so the rest is read for a while. */
const DRAIN_MS = 1_000;

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { type, text } = wordsOf(request.url ?? "", refusal);
  response.writeHead(refusal.status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    Connection: "close",
  });
  response.write(text);
  const end = () => {
    clearTimeout(timer);
    response.end();
    request.socket.destroySoon();
  };
  const timer = setTimeout(end, DRAIN_MS).unref();
  request.once("end", end);
  request.once("error", end);
  request.resume();
}

function wordsOf(url: string, refusal: Refusal): { readonly type: string; readonly text: string } {
  if (url.startsWith(`${BASE}/`)) return { type: PROBLEM_TYPE, text: problemOf(refusal) };
  return url.startsWith("/api/trpc/")
    ? { type: "application/json", text: apiRefusal(refusal) }
    : { type: "text/plain; charset=utf-8", text: `${refusal.sentence}\n` };
}

function problemOf({ status, sentence }: Refusal): string {
  const requestId = randomUUID().slice(0, 8);
  return problemText({ status, code: problemCode(status), sentence }, requestId);
}

interface UnreadError extends Error {
  readonly code?: string;
}

const UNREAD: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    sentence: "The request's address or headers are too long: send less.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: "The request did not come in time." },
};
const NOT_HTTP: Refusal = { status: 400, sentence: "The request is not valid HTTP." };

/** Answers input that cannot be parsed as a request, with the same headers, because no handler ever sees it. */
function refuseUnread([error, socket]: [UnreadError, Socket]): boolean {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return true;
  }
  const { status, sentence } = UNREAD[error.code ?? ""] ?? NOT_HTTP;
  const headers = {
    ...DEFAULT_HEADERS,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(sentence),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${REASONS[status]}`, ...lines, "", sentence].join("\r\n"));
  return true;
}

const REASONS: Partial<Record<Refusal["status"], string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** Answers other than pages may not load, run or be framed. Pages have a policy of their own (proxy.ts). */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every answer, unless its handler sets others. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": NO_PAGE,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/**
 * Adds the headers when the answer begins, so that errors, redirects, files and streams have them as well as pages. Headers passed along
 * with the status replace them.
 */
function addDefaultHeaders(response: ServerResponse): void {
  const { writeHead } = response;
  const begin = (...given: unknown[]): ServerResponse => {
    for (const [name, value] of Object.entries(DEFAULT_HEADERS)) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    return Reflect.apply(writeHead, response, given) as ServerResponse;
  };
  response.writeHead = begin as ServerResponse["writeHead"];
}

/** Returns undefined as soon as the body exceeds `most` bytes. Rejects if the client disconnects before its end. */
function gatherBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const take = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= most) pieces.push(piece);
      else end(undefined);
    };
    const end = (body: Buffer | undefined) => {
      request.off("data", take);
      resolve(body);
    };
    request.on("data", take);
    request.once("end", () => end(Buffer.concat(pieces)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("The client has left.")));
  });
}

/** Returns the same request with its body already read, for its next reader. */
function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const again = new IncomingMessage(request.socket);
  again.method = request.method;
  again.url = request.url;
  again.headers = request.headers;
  again.rawHeaders = request.rawHeaders;
  again.httpVersion = request.httpVersion;
  again.httpVersionMajor = request.httpVersionMajor;
  again.httpVersionMinor = request.httpVersionMinor;
  again.complete = true;
  again.push(body);
  again.push(null);
  return again;
}

/** Returns the declared length of a request's body: 0 without a body, undefined for chunked encoding. */
function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers["transfer-encoding"] !== undefined) return undefined;
  return Number(headers["content-length"] ?? 0);
}
