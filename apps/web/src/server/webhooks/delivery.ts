import { type Attempt, conditionSchema, phaseSchema } from "@cloudwright/core/model/notifications";
import { readJson } from "@cloudwright/store/sql/stored-json";
import type { DueDelivery, Settled } from "@cloudwright/store/webhooks/deliveries";
import { formOf } from "@cloudwright/store/webhooks/webhooks";
import { bodyOf } from "./bodies.ts";
import { type PostResult, post } from "./post.ts";
import { SealBrokenError, unseal } from "./sealing.ts";
import { SIGNATURE_HEADER, signatureOf } from "./signature.ts";

/** An attempt fails if there is no answer within this time. */
export const ATTEMPT_MS = 10_000;
/** Attempts for a message end this long after it was created. */
export const GIVE_UP_MS = 86_400_000;
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;

export interface SendOptions {
  readonly authSecret: string;
  /** The origin under which browsers reach the dashboard. */
  readonly publicOrigin: string | undefined;
  readonly privateAllowed: boolean;
  readonly now: () => number;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** Makes one attempt to send a message and returns what to record. Never throws. */
export async function attempt(due: DueDelivery, options: SendOptions): Promise<Settled> {
  if (due.refusal !== undefined) return ended("failed", due.refusal, due.attempts);
  const at = options.now();
  const result = await sendOnce(due, options);
  const made: Attempt = {
    ...{ at, durationMs: Math.max(0, Math.round(options.now() - at)) },
    ...(result.kind === "answered" ? { status: result.status } : {}),
    ...withProblem(problemOf(result)),
  };
  return settledBy(result, { due, attempts: [...due.attempts, made], options });
}

function withProblem(problem: string | undefined): Pick<Attempt, "problem"> {
  return problem === undefined ? {} : { problem };
}

async function sendOnce({ row, webhook }: DueDelivery, options: SendOptions): Promise<PostResult> {
  const { authSecret, publicOrigin, privateAllowed, signal } = options;
  try {
    const url = new URL(unseal(webhook.address, authSecret));
    const body = bodyOf(formOf(webhook), {
      ...{ id: row.id, alarm: row.alarm, sentence: row.sentence, count: row.count },
      ...messageFacts(row),
      link: publicOrigin === undefined ? undefined : new URL(row.path, publicOrigin).href,
    });
    const timestamp = Math.floor(options.now() / 1_000);
    const signature = signatureOf(body, { secrets: secretsOf(webhook, options), timestamp });
    const headers = {
      "content-type": "application/json",
      "user-agent": "Cloudwright-Webhooks/1",
      "cloudwright-delivery": row.id,
      [SIGNATURE_HEADER.toLowerCase()]: signature,
    };
    return await post(url, { headers, body, privateAllowed, timeoutMs: ATTEMPT_MS, signal });
  } catch (error) {
    if (error instanceof SealBrokenError) return { kind: "refused", problem: error.message };
    throw error;
  }
}

function messageFacts(row: DueDelivery["row"]) {
  const { clusterId, clusterName, objectKind: kind, objectName: name } = row;
  return {
    ...{ cluster: clusterId ?? undefined, clusterName },
    condition: conditionSchema.safeParse(row.condition).data,
    // A newer release may have queued it with an unknown phase: it is sent as an opening message.
    phase: readJson(phaseSchema, row.phase, "begins"),
    object: kind === null || name === null ? undefined : { kind, name },
    since: row.since?.getTime(),
    createdAt: row.createdAt.getTime(),
  };
}

function secretsOf(webhook: DueDelivery["webhook"], options: SendOptions): readonly string[] {
  const { secret, previousSecret, previousUntil } = webhook;
  const isBoth = previousUntil !== null && previousUntil.getTime() > options.now();
  const sealed = isBoth && previousSecret !== null ? [secret, previousSecret] : [secret];
  return sealed.map((each) => unseal(each, options.authSecret));
}

function problemOf(result: PostResult): string | undefined {
  if (result.kind !== "answered") return result.problem;
  const { status } = result;
  if (isSuccess(status)) return undefined;
  const isRedirect = status >= 300 && status < 400;
  return isRedirect
    ? `The receiver answered ${status}: redirects are not followed.`
    : `The receiver answered ${status}.`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Reports whether a failure may be temporary: a server error, too many requests, no answer in time. */
function mayPass(result: PostResult): boolean {
  if (result.kind !== "answered") return result.kind === "failed";
  return result.status >= 500 || result.status === 429 || result.status === 408;
}

interface Tried {
  readonly due: DueDelivery;
  readonly attempts: readonly Attempt[];
  readonly options: SendOptions;
}

function settledBy(result: PostResult, { due, attempts, options }: Tried): Settled {
  const problem = problemOf(result);
  if (problem === undefined) return ended("delivered", undefined, attempts);
  if (!mayPass(result) || due.row.phase === "test") return ended("failed", problem, attempts);
  const now = options.now();
  const nextAt = now + waitMs(result, attempts.length, options);
  if (nextAt > due.row.createdAt.getTime() + GIVE_UP_MS) {
    return ended("givenUp", `Given up after ${attempts.length} attempts: ${problem}`, attempts);
  }
  return { state: "pending", problem, attempts, nextAt };
}

function ended(
  state: Settled["state"],
  problem: string | undefined,
  attempts: readonly Attempt[],
): Settled {
  return { state, problem, attempts, nextAt: undefined };
}

/** Doubles the wait with each attempt, with some jitter; the receiver's Retry-After takes precedence. */
function waitMs(result: PostResult, attempts: number, { now, random }: SendOptions): number {
  const doubled = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20));
  const usual = doubled * (0.8 + random() * 0.4);
  const wanted = result.kind === "answered" ? retryAfterMs(result.retryAfter, now()) : undefined;
  return wanted === undefined ? usual : Math.max(usual, wanted);
}

/** Given in seconds or as a date. */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
