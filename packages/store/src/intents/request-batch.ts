import { BATCH_MOST, type Intent } from "@cloudwright/core/model/actions/intent";
import { z } from "zod";
import type { Prisma } from "../generated/client.ts";
import type { OperationErrorCode } from "../operations/errors.ts";
import { carryOutMany, type TaskOutcome } from "../operations/verb.ts";
import { storableText } from "../text/storable-text.ts";
import { attemptOf, type FullRequest, insertOnce, isKnownCluster } from "./insert-intent.ts";
import {
  actionOfChoice,
  type IntentContext,
  intentRequestSchema,
  invalidRequest,
  type ParsedRequest,
  withLoops,
} from "./request-intent.ts";

export const batchRequestSchema = z.object({
  /** Chosen by the client. */
  batch: z.uuid(),
  cluster: storableText(200).min(1),
  requests: z
    .array(intentRequestSchema.omit({ cluster: true }))
    .min(1)
    .max(BATCH_MOST)
    .readonly(),
});

/** The result of one request of a batch: its intent, or why it was refused. */
export type BatchAnswer =
  | { readonly kind: "requested"; readonly intent: Intent }
  | { readonly kind: "refused"; readonly code: OperationErrorCode; readonly why: string };

/**
 * Requests the same action, or its preview, on many objects at once. Each is an intent of its own, as by requestIntent, with its own audit
 * entry, and a refused one does not hold back the others. Batches have their own limits (intents/room.ts). The answers are in the order of
 * the requests. Throws OperationError Invalid for a list that is empty or too long, and Forbidden.
 */
export async function requestBatch(
  context: IntentContext,
  input: unknown,
): Promise<readonly BatchAnswer[]> {
  const requests = await withLoops(context, parseBatch(input));
  const isKnown = await isKnownCluster(context, requests[0]?.cluster ?? "");
  // All batches use the same order: each locks its objects, and two batches must not wait for each other.
  const ordered = requests.toSorted((left, right) => (lockKey(left) < lockKey(right) ? -1 : 1));
  const outcomes = await carryOutMany(
    context,
    ordered.map((request) => ({
      attempt: attemptOf(request, isKnown),
      work: (tx: Prisma.TransactionClient) => insertOnce(tx, context, { request, isKnown }),
    })),
  );
  const answers = new Map(ordered.map((request, index) => [request, outcomes[index]]));
  return requests.flatMap((request) => {
    const outcome = answers.get(request);
    return outcome === undefined ? [] : [answerOf(outcome)];
  });
}

function answerOf(outcome: TaskOutcome<Intent>): BatchAnswer {
  if (outcome.kind === "done") return { kind: "requested", intent: outcome.result };
  const { code, sentence } = outcome.error;
  return { kind: "refused", code, why: sentence() };
}

/** Returns the key by which batches order their work on objects. */
export function lockKey({
  object: { kind, namespace = "", name },
}: Pick<FullRequest, "object">): string {
  return `${kind}/${namespace}/${name}`;
}

function parseBatch(input: unknown): readonly ParsedRequest[] {
  const parsed = batchRequestSchema.safeParse(input);
  if (!parsed.success) throw invalidRequest(parsed.error);
  const { batch, cluster, requests } = parsed.data;
  return requests.map((request) => ({
    ...request,
    cluster,
    action: actionOfChoice(request),
    batch,
  }));
}
