import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isFromProgramHere, ONLY_PROGRAMS_HERE } from "../../process/program-here.ts";
import type { FaultEngine } from "../faults/fault-engine.ts";
import type { Failure } from "../faults/fault-rules.ts";
import { namedInstances } from "../instances/instance-routes.ts";
import { ApiError, apiError } from "./api-error.ts";
import type { CallLog } from "./call-log.ts";
import { type Exchange, errorReply, openExchange, sendReply } from "./exchange.ts";
import type { Match, Reply, Router } from "./router.ts";

export interface Pipeline {
  readonly token: string;
  readonly api: Router;
  readonly admin: Router;
  readonly faults: FaultEngine;
  readonly calls: CallLog;
}

/** Answers one request. `/admin` is only for this machine; everything else is the cloud's API. */
export async function answer(
  pipeline: Pipeline,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = openExchange(request, response);
  if (exchange.url.pathname.startsWith("/admin/")) {
    await answerAdmin(pipeline, exchange);
  } else {
    await answerApi(pipeline, exchange);
  }
}

async function answerAdmin({ admin }: Pipeline, exchange: Exchange): Promise<void> {
  try {
    requireProgramHere(exchange.request);
    sendReply(exchange, await handle(find(admin, exchange), exchange));
  } catch (error) {
    sendReply(exchange, errorReply(exchange, error));
  }
}

function requireProgramHere(request: IncomingMessage): void {
  if (!isFromProgramHere(request)) throw apiError("forbidden", ONLY_PROGRAMS_HERE);
}

async function answerApi(pipeline: Pipeline, exchange: Exchange): Promise<void> {
  const log = startLog(pipeline, exchange);
  try {
    requireToken(pipeline.token, exchange.request);
    const reply = await underFaults(pipeline, exchange);
    if (reply !== undefined) {
      log("status" in reply ? reply.status : 200);
      sendReply(exchange, reply);
    }
  } catch (error) {
    if (!exchange.gone.aborted) {
      const reply = errorReply(exchange, error);
      log(reply.status);
      sendReply(exchange, reply);
    }
  }
}

/** Logs a call before its answer is sent, so that a client that saw the answer also sees the entry. */
function startLog({ api, calls }: Pipeline, exchange: Exchange): (status: number) => void {
  const { method, url, requestId, gone } = exchange;
  const startedAt = Date.now();
  const startedTicks = performance.now();
  const end = calls.arrived(`${method} ${matchQuietly(api, exchange)?.route.path ?? "(unknown)"}`);
  let open = true;
  const log = (status: number): void => {
    if (open) {
      open = false;
      end({
        at: new Date(startedAt).toISOString(),
        method,
        path: url.pathname,
        query: url.search.slice(1),
        status,
        ms: Math.round(performance.now() - startedTicks),
        requestId,
      });
    }
  };
  gone.addEventListener("abort", () => log(0));
  return log;
}

function requireToken(token: string, { headers }: IncomingMessage): void {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  if (!timingSafeEqual(digest(given), digest(token))) {
    throw apiError(
      "unauthorized",
      "The token is missing or not this cloud's: send Authorization: Bearer.",
    );
  }
}

function digest(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest());
}

/** Returns undefined when the client should get no answer. */
async function underFaults(pipeline: Pipeline, exchange: Exchange): Promise<Reply | undefined> {
  const { method, url, gone } = exchange;
  const { delayMs, ending } = pipeline.faults.judge({
    method,
    path: url.pathname,
    instances: namedInstances(url.pathname, url.searchParams),
    bodyFields: await bodyFields(exchange),
  });
  if (delayMs > 0) {
    await wait(delayMs, undefined, { signal: gone });
  }
  switch (ending.kind) {
    case "answer":
      return await handle(find(pipeline.api, exchange), exchange);
    case "fail":
      throw injected(ending.failure);
    case "hang":
      return undefined;
    case "loseResponse":
      // The client must not learn whether the work succeeded.
      await Promise.allSettled([handle(find(pipeline.api, exchange), exchange)]);
      exchange.response.destroy();
      return undefined;
  }
}

function injected({ status, code, retryAfter }: Failure): ApiError {
  const message =
    code === "throttled"
      ? "There are too many requests: slow down."
      : `The cloud answers ${code} because a fault is set.`;
  return new ApiError(code, message, { status, retryAfter });
}

/** Returns an empty set for a body that is not an object: the call itself reports the problem. */
async function bodyFields({ method, readBody }: Exchange): Promise<ReadonlySet<string>> {
  if (method === "GET") {
    return new Set();
  }
  const body = await readBody().catch(() => undefined);
  return new Set(typeof body === "object" && body !== null ? Object.keys(body) : []);
}

async function handle({ route, params }: Match, exchange: Exchange): Promise<Reply> {
  const { request, url, readBody } = exchange;
  return await route.handle({
    params,
    search: url.searchParams,
    readBody,
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value[0] : value;
    },
  });
}

/** Not a 404: a client would take that as proof that its machine is gone, although it only called a wrong path. */
function find(router: Router, { method, url }: Exchange): Match {
  const match = router(method, url.pathname);
  if (match === undefined) {
    throw apiError("invalid", `There is no call ${method} ${url.pathname}: see docs/sandbox.md.`);
  }
  return match;
}

function matchQuietly(router: Router, { method, url }: Exchange): Match | undefined {
  try {
    return router(method, url.pathname);
  } catch {
    return undefined;
  }
}
