import { parseGoDuration } from "@cloudwright/core/model/values/go-duration";
import { readReview, reviewText } from "./admission-review.ts";
import type { Webhook } from "./webhook.ts";

export interface WebhookCall {
  /** Path and query. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The called webhook; undefined if none has this path. */
  readonly webhook: string | undefined;
}

export interface AnswerOptions {
  readonly webhooks: readonly Webhook[];
  /** Returns a signal that aborts after this many milliseconds. */
  deadline(ms: number): AbortSignal;
  /** Called with the error behind a 500. */
  onError(webhook: string, error: unknown): void;
}

/**
 * Answers one call of an API server (spec/00 §11): 404 for the path of no webhook, 400 for a body that is not an AdmissionReview,
 * 500 if the webhook cannot decide; else 200 with the review, whether it allows or refuses.
 */
export async function answerWebhook(
  options: AnswerOptions,
  { url, contentType, body }: WebhookCall,
): Promise<WebhookAnswer> {
  const [pathname, query] = url.split("?", 2);
  const searchParams = new URLSearchParams(query);
  const webhook = options.webhooks.find(({ path }) => path === pathname);
  if (webhook === undefined) return { ...text(404, "404 page not found"), webhook: undefined };
  const answer = (status: number, problem: string): WebhookAnswer => ({
    ...text(status, problem),
    webhook: webhook.name,
  });
  if (contentType !== JSON_TYPE) return answer(400, `the content type must be ${JSON_TYPE}`);
  const read = readReview(body);
  if (read.kind === "malformed") return answer(400, read.problem);
  try {
    const signal = options.deadline(deadlineMs(searchParams.get("timeout")));
    const verdict = await webhook.admit(read.request, signal);
    if (verdict.kind === "malformed") return answer(400, verdict.problem);
    const review = reviewText(read.request, verdict);
    return { status: 200, type: JSON_TYPE, body: review, webhook: webhook.name };
  } catch (error) {
    options.onError(webhook.name, error);
    return answer(
      500,
      "the request failed with an internal error; see the log of the cloud controller manager",
    );
  }
}

const JSON_TYPE = "application/json";
/** API servers wait 10 s unless the registration says otherwise; ours says 5 s. */
const USUAL_TIMEOUT_MS = 5_000;
/** The longest time that any API server waits. */
const LONGEST_TIMEOUT_MS = 30_000;
/** Reserved for sending the answer. */
const SPARE_MS = 1_000;
const LEAST_MS = 500;

/** The API server gives its timeout in the URL. */
function deadlineMs(timeout: string | null): number {
  const reported = timeout === null ? undefined : parseGoDuration(timeout);
  const waited = Math.min(reported ?? USUAL_TIMEOUT_MS, LONGEST_TIMEOUT_MS);
  return Math.max(LEAST_MS, waited - SPARE_MS);
}

function text(status: number, sentence: string): Omit<WebhookAnswer, "webhook"> {
  return { status, type: "text/plain; charset=utf-8", body: `${sentence}\n` };
}
