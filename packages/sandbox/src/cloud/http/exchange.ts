import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { ApiError, apiError } from "./api-error.ts";
import type { Reply } from "./router.ts";

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly method: string;
  readonly url: URL;
  /** The body as JSON, read once. Rejects with ApiError `invalid`. */
  readonly readBody: () => Promise<unknown>;
  /** Aborts when the client leaves or the answer has been sent. */
  readonly gone: AbortSignal;
}

/** Prepares a request and gives its answer an `X-Request-Id`. Throws ApiError `invalid` for an unreadable URL. */
export function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const requestId = `req-${randomUUID()}`;
  response.setHeader("X-Request-Id", requestId);
  const leaving = new AbortController();
  response.once("close", () => leaving.abort());
  let body: Promise<unknown> | undefined;
  return {
    request,
    response,
    requestId,
    method: request.method ?? "GET",
    url: urlOf(request),
    readBody: () => {
      body ??= readJsonBody(request);
      return body;
    },
    gone: leaving.signal,
  };
}

function urlOf(request: IncomingMessage): URL {
  try {
    return new URL(`http://cloud${request.url ?? "/"}`);
  } catch {
    return new URL("http://cloud/");
  }
}

const BODY_LIMIT = 1024 * 1024;

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > BODY_LIMIT) {
      throw apiError("invalid", "The body is larger than 1 MiB: send less at a time.");
    }
  }
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw apiError("invalid", "The body is not JSON: send an object.");
  }
}

export function sendReply({ response }: Exchange, reply: Reply): void {
  if ("stream" in reply) {
    reply.stream(response);
    return;
  }
  response.statusCode = reply.status;
  if (reply.body === undefined) {
    response.end();
    return;
  }
  const text = JSON.stringify(reply.body);
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}

/** Returns the body of an error; an unexpected error is `internal` and logged. */
export function errorReply(exchange: Exchange, error: unknown): Reply & { status: number } {
  const known = error instanceof ApiError ? error : unforeseen(exchange, error);
  if (known.retryAfter !== undefined) {
    exchange.response.setHeader("Retry-After", known.retryAfter);
  }
  const { requestId } = exchange;
  const { status, code, message, field } = known;
  return {
    status,
    body: { error: { code, message, ...(field === undefined ? {} : { field }), requestId } },
  };
}

function unforeseen({ method, url, requestId }: Exchange, error: unknown): ApiError {
  const why = messageOf(error);
  process.stderr.write(
    `sandbox cloud: ${method} ${url.pathname} failed (request ${requestId}): ${why}\n`,
  );
  return apiError("internal", `The call failed in the cloud: ${why}`);
}
