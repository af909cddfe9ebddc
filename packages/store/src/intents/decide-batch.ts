import { BATCH_MOST, type Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { z } from "zod";
import type { Intent as StoredIntent } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { carryOut, carryOutMany, type TaskOutcome, type VerbContext } from "../operations/verb.ts";
import { storableText } from "../text/storable-text.ts";
import type { DecisionAnswer } from "../views/approvals.ts";
import { type Decision, decisionTask, problemOfDecider } from "./decide-intent.ts";
import { lockKey } from "./request-batch.ts";
import { parseIntent } from "./stored-intent.ts";

const decisionOn = z.object({
  cluster: storableText(200).min(1),
  batch: z.uuid(),
  why: storableText(500).trim().min(1),
});
const several = <Each extends z.ZodType>(each: Each) =>
  z.array(each).min(1).max(BATCH_MOST).readonly();

export const decideBatchSchema = z.discriminatedUnion("decision", [
  decisionOn.extend({
    decision: z.literal("approve"),
    /** Each with the plan that the approver was shown: the controller carries out that plan or none. */
    actions: several(z.object({ id: z.uuid(), planHash: storableText(200).min(1) })),
  }),
  decisionOn.extend({
    decision: z.literal("decline"),
    actions: several(z.object({ id: z.uuid() })),
  }),
]);
export type DecideBatchInput = z.infer<typeof decideBatchSchema>;

/**
 * Decides together about actions that were requested together, each as by `decideIntent`: in one transaction, each with its own audit entry
 * that names the batch. An action that can no longer be decided does not hold back the others. The answers are in the order of the actions.
 * Throws OperationError NotFound when the batch has none of them, and Forbidden for a user who can decide about none.
 */
export async function decideBatch(
  context: VerbContext,
  input: DecideBatchInput,
): Promise<readonly DecisionAnswer[]> {
  const found = await findActions(context, input);
  const [first] = found;
  if (first === undefined) throw new OperationError("NotFound", unknownText);
  const tasks = found.map((each) => decisionTask(context, each));
  const [task] = tasks;
  const problemOf = (each: typeof first) =>
    problemOfDecider(each.found, each.intent, context.actor);
  if (task !== undefined && found.every((each) => problemOf(each) !== undefined)) {
    // One refusal is enough: the batch is not theirs to decide.
    await carryOut(context, task.attempt, task.work);
  }
  const outcomes = await carryOutMany(context, tasks);
  const answers = new Map(
    found.flatMap(({ intent: { id } }, index) => {
      const outcome = outcomes[index];
      return outcome === undefined ? [] : [[id, answerOf(id, outcome)] as const];
    }),
  );
  return input.actions.map(({ id }) => answers.get(id) ?? unknown(id));
}

const unknownText = () => t`This batch has no such action in this cluster.`;

function unknown(id: string): DecisionAnswer {
  return { kind: "refused", id, code: "NotFound", why: unknownText() };
}

/** Returns the actions of the batch that exist and that this release can read, in the order in which all batches lock their objects. */
async function findActions({ db }: VerbContext, input: DecideBatchInput) {
  const { cluster, batch } = input;
  const wanted = new Map(decisionsOf(input));
  const rows = await db.prisma.intent.findMany({
    where: { id: { in: [...wanted.keys()] }, clusterId: cluster, batchId: batch },
  });
  return rows
    .flatMap((found: StoredIntent) => {
      const [intent, decision] = [parseIntent(found), wanted.get(found.id)];
      if (intent === undefined || decision === undefined) return [];
      return [{ found, intent, input: decision, noted: { batch } }];
    })
    .toSorted((left, right) => (lockKey(left.intent) < lockKey(right.intent) ? -1 : 1));
}

function decisionsOf(input: DecideBatchInput): readonly (readonly [string, Decision])[] {
  const { why } = input;
  if (input.decision === "decline") {
    return input.actions.map(({ id }) => [id, { decision: "decline", why }] as const);
  }
  return input.actions.map(
    ({ id, planHash }) => [id, { decision: "approve", planHash, why }] as const,
  );
}

function answerOf(id: string, outcome: TaskOutcome<Intent>): DecisionAnswer {
  if (outcome.kind === "done") return { kind: "decided", intent: outcome.result };
  const { code, sentence } = outcome.error;
  return { kind: "refused", id, code, why: sentence() };
}
