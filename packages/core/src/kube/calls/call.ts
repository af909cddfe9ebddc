import { isNotSent, parseRetryAfter, wasNeverSent } from "@cloudwright/provider-api/http";
import type { Clock } from "../../model/time.ts";
import type { CallOptions, KubeCall, PatchKind } from "../client.ts";
import { isKubeError, type KubeCallRef, KubeError } from "../errors.ts";
import { sleep } from "../sleep.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { noAnswer } from "./no-answer.ts";
import type { RateLimit } from "./rate-limit.ts";
import { errorOfAnswer } from "./status-error.ts";
import type { HttpAnswer, HttpRequest, OpenAnswer, Transport } from "./transport.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
/** As in client-go: how often an answer with `Retry-After` is waited for. */
const MAX_WAITS = 10;
/** If the API server asks for a longer wait, the caller gets an error with that time, and comes back by itself. */
const LONGEST_WAIT_MS = 30_000;

export interface KubeCallReport extends KubeCall {
  readonly method: string;
  readonly host: string;
  readonly requestBytes: number;
  /** The size of the last answer's body, decompressed; 0 for a watch, whose body never ends. */
  readonly responseBytes: number;
}

/** Sends a request, and converts its answer to what the caller gets. */
type Ask<T> = (request: HttpRequest, progress: Progress) => Promise<T>;

export interface CallPort {
  readonly transport: Transport;
  readonly limit: RateLimit;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly fence?: () => boolean;
  readonly onCall?: (call: KubeCallReport) => void;
}

/** The parameters of a call, whatever its verb. */
export interface CallRequest {
  readonly verb: string;
  readonly resource: string;
  readonly name: string;
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly patchKind?: PatchKind;
  readonly options: CallOptions;
}

/** The call in progress, from which its report is made in the end. */
interface Progress {
  readonly call: CallRequest;
  readonly body: string | undefined;
  readonly startedAt: number;
  readonly startedMonotonic: number;
  limiterWaitMs: number;
  attempts: number;
  status: number;
  responseBytes: number;
}

/**
 * Makes a call and reads its answer: waits for the client-side limit, checks the fence, waits for a throttled API
 * server, notifies the observers. Throws KubeError.
 */
export function makeCall<T>(
  port: CallPort,
  call: CallRequest,
  read: (text: string, status: number) => T,
): Promise<T> {
  return observed(port, call, async (request, progress) => {
    const answer = await port.transport.send(request);
    const text = textOf(progress, answer);
    if (answer.statusCode >= 300) throw failureOf(port, progress, { ...answer, text });
    return read(text, answer.statusCode);
  });
}

/** Does the same for an answer without an end; the caller reads or destroys its body. */
export function openCall(port: CallPort, call: CallRequest): Promise<OpenAnswer> {
  return observed(port, call, async (request, progress) => {
    const answer = await port.transport.open(request);
    progress.status = answer.statusCode;
    if (answer.statusCode < 300) return answer;
    const body = Buffer.from(await answer.body.arrayBuffer());
    throw failureOf(port, progress, { ...answer, text: textOf(progress, { ...answer, body }) });
  });
}

async function observed<T>(port: CallPort, call: CallRequest, ask: Ask<T>): Promise<T> {
  const progress = begin(port, call);
  try {
    const waited = port.limit.acquire(call.options.signal);
    progress.limiterWaitMs = typeof waited === "number" ? waited : await waited;
    const value = await attemptUntilAnswered(port, progress, ask);
    report(port, progress, undefined);
    return value;
  } catch (error) {
    const failure = isKubeError(error) ? error : noAnswer(error, refOf(progress), {});
    report(port, progress, failure);
    throw failure;
  }
}

function begin(port: CallPort, call: CallRequest): Progress {
  return {
    call,
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    startedAt: port.clock.now(),
    startedMonotonic: port.clock.monotonic(),
    limiterWaitMs: 0,
    attempts: 0,
    status: 0,
    responseBytes: 0,
  };
}

async function attemptUntilAnswered<T>(
  port: CallPort,
  progress: Progress,
  ask: Ask<T>,
): Promise<T> {
  for (;;) {
    try {
      return await attempt(port, progress, ask);
    } catch (error) {
      const waitMs = waitBeforeNext(error, progress);
      if (waitMs === undefined || progress.call.options.signal?.aborted) throw error;
      await sleep(port.clock, waitMs, progress.call.options.signal);
    }
  }
}

/** Returns the milliseconds until the call may be sent again; undefined if it may not. */
function waitBeforeNext(error: unknown, { attempts, call }: Progress): number | undefined {
  if (!isKubeError(error)) return undefined;
  const { retryAfterMs, status } = error.call;
  if (retryAfterMs !== undefined && isBusy(status)) {
    const mayWait = attempts <= MAX_WAITS && retryAfterMs <= LONGEST_WAIT_MS;
    return mayWait ? retryAfterMs : undefined;
  }
  // The server closed an idle connection just as we used it: only a read may be sent twice.
  const mayRepeat = call.method === "GET" && attempts === 1;
  return mayRepeat && isConnectionLost(error.cause) ? 0 : undefined;
}

function isBusy(status: number | undefined): boolean {
  return status === 429 || (status !== undefined && status >= 500);
}

function isConnectionLost(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause)) return false;
  return cause.code === "ECONNRESET" || cause.code === "UND_ERR_SOCKET" || cause.code === "EPIPE";
}

async function attempt<T>(port: CallPort, progress: Progress, ask: Ask<T>): Promise<T> {
  const { call } = progress;
  const timeoutMs = call.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = createDeadline({ clock: port.clock, timeoutMs, signal: call.options.signal });
  try {
    refuseBehindFence(port, progress);
    progress.attempts += 1;
    progress.status = 0;
    progress.responseBytes = 0;
    return await ask(requestOf(port, progress, deadline), progress);
  } catch (error) {
    throw withoutAnswer(progress, error, deadline.expired ? { timeoutMs } : {});
  } finally {
    deadline.clear();
  }
}

function withoutAnswer(
  progress: Progress,
  error: unknown,
  deadline: { readonly timeoutMs?: number },
): KubeError {
  if (isKubeError(error)) return error;
  if (isNotSent(error)) return refusal(progress);
  const ref = refOf(progress);
  return noAnswer(error, mayBeDone(progress, error) ? { ...ref, mayBeDone: true } : ref, deadline);
}

/** Once the status line has arrived the API server has decided, but a truncated body does not say what. */
function mayBeDone({ call, attempts }: Progress, error: unknown): boolean {
  return call.method !== "GET" && attempts > 0 && !wasNeverSent(error);
}

function refuseBehindFence(port: CallPort, progress: Progress): void {
  const { method, options } = progress.call;
  if (method === "GET" || options.passesFence === true) return;
  if (port.fence === undefined || port.fence()) return;
  throw refusal(progress);
}

function refusal(progress: Progress): KubeError {
  return new KubeError(
    "Unavailable",
    "nothing was sent, because this process is not the leader; the leader sends it",
    { ...refOf(progress), status: 0, fenced: true },
  );
}

function requestOf(port: CallPort, progress: Progress, deadline: Deadline): HttpRequest {
  const { call, body } = progress;
  const headers: Record<string, string> = {
    accept: "application/json",
    "user-agent": port.userAgent,
  };
  if (body !== undefined) headers["content-type"] = call.contentType ?? "application/json";
  const { method, path } = call;
  return {
    method,
    path,
    headers,
    deadline,
    passesFence: call.options.passesFence === true,
    ...(body === undefined ? {} : { body }),
  };
}

function failureOf(
  port: CallPort,
  progress: Progress,
  answer: Pick<HttpAnswer, "statusCode" | "headers"> & { readonly text: string },
): KubeError {
  const retryAfterMs = parseRetryAfter(headerOf(answer, "retry-after"), port.clock.now());
  const auditId = headerOf(answer, "audit-id");
  const { patchKind } = progress.call;
  return errorOfAnswer(
    {
      status: answer.statusCode,
      body: answer.text,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(auditId === undefined ? {} : { auditId }),
      ...(patchKind === undefined ? {} : { patchKind }),
    },
    refOf(progress),
  );
}

function textOf(progress: Progress, { statusCode, body }: HttpAnswer): string {
  progress.status = statusCode;
  progress.responseBytes = body.length;
  return body.toString("utf8");
}

function headerOf(answer: Pick<HttpAnswer, "headers">, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function refOf({ call, status }: Progress): KubeCallRef {
  const { verb, resource, name } = call;
  return { verb, resource, status, ...(name === "" ? {} : { name }) };
}

function report(port: CallPort, progress: Progress, failure: KubeError | undefined): void {
  const { call, startedAt, startedMonotonic, limiterWaitMs, attempts, status, responseBytes } =
    progress;
  const made: KubeCallReport = {
    verb: call.verb,
    resource: call.resource,
    name: call.name,
    startedAt,
    durationMs: port.clock.monotonic() - startedMonotonic,
    limiterWaitMs,
    status,
    attempts,
    ...(failure === undefined ? {} : saidBy(failure)),
    method: call.method,
    host: port.transport.host,
    requestBytes: progress.body === undefined ? 0 : Buffer.byteLength(progress.body),
    responseBytes,
  };
  call.options.observer?.(made);
  port.onCall?.(made);
}

function saidBy({ message, call }: KubeError): Pick<KubeCall, "error" | "body"> {
  return { error: message, ...(call.body === undefined ? {} : { body: call.body }) };
}
