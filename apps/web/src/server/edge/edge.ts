import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { processWide } from "../process-wide.ts";
import { peerHeader } from "../requests/client.ts";
import { addDefaultHeaders, DEFAULT_HEADERS } from "./default-headers.ts";
import { declaredLength, gatherBody, withBody } from "./gather-body.ts";
import { LIMITS } from "./limits.ts";
import { apiRefusal, type Refusal } from "./refusal.ts";

/**
 * Stands before everything that this process serves: notes who is at the other end, bounds the body, and sees that no
 * answer leaves without its headers. Next makes its server itself and lets nobody before it, so the edge stands where the
 * server announces a request.
 */
export function guardEdge(): void {
  processWide("edge", () => {
    const { emit } = Server.prototype;
    Server.prototype.emit = function (this: Server, event: string | symbol, ...given: unknown[]) {
      const pass = (...changed: unknown[]) =>
        Reflect.apply(emit, this, [event, ...changed]) as boolean;
      if (event === "request") {
        const [request, response] = given as [IncomingMessage, ServerResponse];
        receive(request, response, (checked) => pass(checked, response));
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

/** A path that is no UTF-8 once its escapes are undone throws in whoever takes it apart. */
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

/** Whether it is a good one is not known yet; one that is made up lets nobody do more than send a longer body. */
function hasSession({ headers }: IncomingMessage): boolean {
  return headers.cookie?.includes("cloudwright.session_token=") ?? false;
}

function tooLong(most: number): Refusal {
  const sentence = `The request is longer than ${most / 1024} KiB: send less at a time.`;
  return { status: 413, sentence };
}

/** A client that is cut off while it still sends would see no answer, so that what follows is read for a while. */
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
  return url.startsWith("/api/trpc/")
    ? { type: "application/json", text: apiRefusal(refusal) }
    : { type: "text/plain; charset=utf-8", text: `${refusal.sentence}\n` };
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

/** What cannot be read as a request is answered here, with the same headers, as no handler ever sees it. */
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
