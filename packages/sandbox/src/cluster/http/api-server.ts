import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRule, Faults } from "../admin/faults.ts";
import type { RequestLog } from "../admin/request-log.ts";
import { type Admitted, admitCreation } from "../admission/admit-creation.ts";
import type { Attempt } from "../auth/authorizer.ts";
import { authenticate, impersonated } from "../auth/tokens.ts";
import { ADMIN, ANONYMOUS, type User } from "../auth/user.ts";
import { ApiError, forbidden, unexpected } from "./api-error.ts";
import { type RequestBody, readBody } from "./body.ts";
import type { Call, ClusterServices } from "./call.ts";
import { answerPlainPath } from "./plain-paths.ts";
import { type Answer, isStream, type Reply } from "./reply.ts";
import { type RequestInfo, type ResourcePath, readRequestInfo } from "./request-info.ts";
import { deprecationsOf, routeResource } from "./resource-router.ts";

interface Parts {
  readonly services: ClusterServices;
  readonly faults: Faults;
  readonly log: RequestLog;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly info: RequestInfo;
}

/** The API on top of an HTTP server: authentication, authorisation, handling and answer; each request is logged. */
export class ApiServer {
  readonly #context: Parts;
  readonly #watches = new Set<ServerResponse>();

  constructor(parts: Parts) {
    this.#context = parts;
  }

  /** For `createServer`. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#answer(request, response).catch(() => response.destroy());
  };

  /** Breaks off every watch in mid-stream, as a lost connection would; returns how many. */
  cutWatches(): number {
    const count = this.#watches.size;
    for (const response of this.#watches) response.destroy();
    return count;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "https://cluster");
    const info = readRequestInfo(request.method ?? "GET", url);
    const exchange = { request, response, url, info };
    const body = await readBody(request).catch((error: unknown) => asApiError(error));
    const fault = this.#context.faults.take(info.verb, url.pathname);
    const user = this.#identify(exchange);
    if (fault !== undefined && (await this.#suffer(fault, exchange, body))) return;
    const admitted = await this.#admit(exchange, body, user);
    const decided =
      admitted instanceof ApiError
        ? refusal(admitted)
        : this.#decide(exchange, admitted.body, user);
    const answer =
      admitted instanceof ApiError ? decided : withWarnings(decided, admitted.warnings);
    this.#log(exchange, { user, body, code: isStream(answer) ? 200 : answer.status });
    this.#send(response, answer);
  }

  /** Applies a fault; returns whether the request is thereby answered. */
  async #suffer(
    fault: FaultRule,
    exchange: Exchange,
    body: RequestBody | ApiError,
  ): Promise<boolean> {
    if (fault.latencyMs !== undefined) await sleep(fault.latencyMs);
    if (fault.status === undefined && fault.hang !== true) return false;
    const user = this.#identify(exchange);
    this.#log(exchange, { user, body, code: fault.hang === true ? 0 : (fault.status ?? 0) });
    if (fault.hang !== true) sendFault(exchange.response, fault);
    return true;
  }

  /** Calls webhooks only for a creation that is allowed. */
  async #admit(
    { info, url }: Exchange,
    body: RequestBody | ApiError,
    user: User | ApiError,
  ): Promise<Admitted | ApiError> {
    if (body instanceof ApiError) return body;
    const { registry, authorizer } = this.#context.services;
    if (user instanceof ApiError || !authorizer.allows(user, attemptOf(info))) {
      return { body, warnings: [] };
    }
    try {
      return await admitCreation({ store: registry.store, info, url, user, body });
    } catch (error) {
      return asApiError(error);
    }
  }

  #identify({ request }: Exchange): User | ApiError {
    try {
      const user = authenticate(request.headers, this.#context.services.tokens);
      const other = impersonated(request.headers);
      if (other === undefined) return user;
      if (user === ADMIN) return other;
      const subject = { group: "", kind: "users", name: other.username };
      return forbidden(subject, `User "${user.username}" cannot impersonate`);
    } catch (error) {
      return asApiError(error);
    }
  }

  #decide(exchange: Exchange, body: RequestBody, user: User | ApiError): Answer {
    if (user instanceof ApiError) return refusal(user);
    const { request, url, info } = exchange;
    const host = request.headers.host ?? "";
    const { services } = this.#context;
    const method = request.method ?? "GET";
    const { text, contentType } = body;
    const asked = { method, url, headers: request.headers, body: text, contentType };
    const call: Call = { services, ...asked, user, host };
    try {
      checkAllowed(call, info);
      const { resource } = info;
      const answer = resource === undefined ? undefined : routeResource(call, info, resource);
      return withWarnings(answer ?? answerPlainPath(call), deprecationsOf(info));
    } catch (error) {
      return withWarnings(refusal(asApiError(error)), deprecationsOf(info));
    }
  }

  #send(response: ServerResponse, answer: Answer): void {
    const headers = { "audit-id": randomUUID(), "cache-control": "no-cache, private" };
    if (!isStream(answer)) {
      sendReply(response, answer, headers);
      return;
    }
    this.#watches.add(response);
    response.once("close", () => this.#watches.delete(response));
    setWarnings(response, answer.warnings);
    response.writeHead(200, { ...headers, "content-type": "application/json" });
    response.flushHeaders();
    answer.start(response);
  }

  #log(
    { request, url, info }: Exchange,
    seen: {
      readonly user: User | ApiError;
      readonly body: RequestBody | ApiError;
      readonly code: number;
    },
  ): void {
    const { user, body, code } = seen;
    const { registry } = this.#context.services;
    this.#context.log.add({
      at: new Date(registry.now()).toISOString(),
      method: request.method ?? "GET",
      verb: info.verb,
      path: `${url.pathname}${url.search}`,
      user: user instanceof ApiError ? ANONYMOUS.username : user.username,
      userAgent: request.headers["user-agent"] ?? "",
      code,
      ...(user instanceof ApiError ? {} : { decision: this.#decisionOn(user, info) }),
      ...(body instanceof ApiError ? {} : { body: body.text }),
    });
  }

  #decisionOn(user: User, info: RequestInfo): "allow" | "forbid" {
    return this.#context.services.authorizer.allows(user, attemptOf(info)) ? "allow" : "forbid";
  }
}

function sendReply(response: ServerResponse, reply: Reply, headers: Record<string, string>): void {
  const { status, contentType = "application/json", warnings, body } = reply;
  setWarnings(response, warnings);
  response.writeHead(status, {
    ...headers,
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

function withWarnings(answer: Answer, first: readonly string[]): Answer {
  return first.length === 0
    ? answer
    : { ...answer, warnings: [...first, ...(answer.warnings ?? [])] };
}

function setWarnings(response: ServerResponse, warnings: readonly string[] = []): void {
  if (warnings.length > 0) response.setHeader("warning", warnings.map(warningHeader));
}

function warningHeader(sentence: string): string {
  return `299 - ${JSON.stringify(sentence)}`;
}

function sendFault(response: ServerResponse, fault: FaultRule): void {
  const code = fault.status ?? 500;
  const error = new ApiError({
    code,
    reason: FAULT_REASONS[code] ?? "InternalError",
    message: fault.message ?? "the sandbox was configured to fail this request",
    ...(fault.retryAfter === undefined ? {} : { details: { retryAfterSeconds: fault.retryAfter } }),
  });
  const retry = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
  sendReply(response, refusal(error), retry);
}

const FAULT_REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function refusal(error: ApiError): Reply {
  return { status: error.code, body: JSON.stringify(error.status()) };
}

/** Any error but an ApiError is internal: its stack goes to stderr, where the user can see it. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return unexpected(error);
}

function checkAllowed(call: Call, info: RequestInfo): void {
  const attempt = attemptOf(info);
  if (call.services.authorizer.allows(call.user, attempt)) return;
  const who = `User "${call.user.username}" cannot`;
  const { resource } = info;
  if (resource === undefined) {
    throw forbidden({ group: "", kind: "" }, `${who} ${info.verb} path "${info.path}"`);
  }
  const { group, name, namespace } = resource;
  const place =
    namespace === undefined ? "at the cluster scope" : `in the namespace "${namespace}"`;
  throw forbidden(
    { group, kind: resource.plural, ...(name === undefined ? {} : { name }) },
    `${who} ${info.verb} resource "${qualifiedPlural(resource)}" in API group "${group}" ${place}`,
  );
}

function attemptOf({ verb, path, resource, selectedName }: RequestInfo): Attempt {
  if (resource === undefined) return { kind: "path", verb, path };
  const { group, namespace, name = selectedName } = resource;
  return {
    kind: "resource",
    verb,
    group,
    resource: qualifiedPlural(resource),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

function qualifiedPlural({ plural, subresource }: ResourcePath): string {
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}
