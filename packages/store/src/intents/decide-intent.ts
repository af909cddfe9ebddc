import { typedOf } from "@cloudwright/core/model/actions/action";
import { type Intent, lifetimeMs, roleFor } from "@cloudwright/core/model/actions/intent";
import { declinedResult } from "@cloudwright/core/model/actions/intent-result";
import { englishOf, t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { z } from "zod";
import type { Prisma, Intent as StoredIntent } from "../generated/client.ts";
import { OperationError, requireNoProblem } from "../operations/errors.ts";
import { type Attempt, carryOut, type Task, type VerbContext } from "../operations/verb.ts";
import { decideRow } from "../sql/intents.ts";
import { isUuid } from "../sql/lists/cursor.ts";
import { storableText } from "../text/storable-text.ts";
import type { WaitingApproval } from "../views/approvals.ts";
import { isoTime, problemOfAction } from "./action-checks.ts";
import { waitingRows } from "./intents.ts";
import { requireRequester } from "./requester.ts";
import { requireNoRival } from "./room.ts";
import { parseIntent, toIntent } from "./stored-intent.ts";

const decisionOn = z.object({
  cluster: storableText(200).min(1),
  id: storableText(200),
  why: storableText(500).trim().min(1),
});
export const decideIntentSchema = z.discriminatedUnion("decision", [
  decisionOn.extend({
    decision: z.literal("approve"),
    /** The plan that the approver was shown: the controller carries out that plan or none. */
    planHash: storableText(200).min(1),
  }),
  decisionOn.extend({ decision: z.literal("decline") }),
]);
export type DecideIntentInput = z.infer<typeof decideIntentSchema>;

/** A user's decision about any action. */
export type Decision =
  | { readonly decision: "approve"; readonly planHash: string; readonly why: string }
  | { readonly decision: "decline"; readonly why: string };

/** Returns the actions waiting for approval on a cluster, oldest first, and whether this user can decide about each. */
export async function waitingApprovals(
  { db, actor }: VerbContext,
  of: { readonly cluster: string; readonly batch?: string | undefined },
): Promise<readonly WaitingApproval[]> {
  const rows = await waitingRows(db, of);
  return rows.flatMap((row) => {
    const intent = parseIntent(row);
    if (intent === undefined) return [];
    const whyNot = problemOfDecider(row, intent, actor);
    const isOwn = row.actorId === actor.id;
    return [{ intent, isOwn, ...(whyNot === undefined ? {} : { whyNot }) }];
  });
}

/**
 * Approves an action that waits for approval, with the plan that the approver was shown, or ends it. Throws OperationError NotFound,
 * Forbidden for its requester or a user who may not request it, Invalid when it can no longer be done, Conflict while another action
 * changes the same thing, and Precondition once it was decided or withdrawn or has expired, or when its requester may no longer request it.
 */
export async function decideIntent(
  context: VerbContext,
  input: DecideIntentInput,
): Promise<Intent> {
  const { cluster, id } = input;
  const found = isUuid(id)
    ? await context.db.prisma.intent.findFirst({ where: { id, clusterId: cluster } })
    : null;
  // Not an audited attempt: there is no object that an audit entry could name.
  if (found === null)
    throw new OperationError("NotFound", () => t`No such action in this cluster.`);
  const intent = parseIntent(found);
  if (intent === undefined) throw unreadable();
  const { attempt, work } = decisionTask(context, { found, intent, input });
  return carryOut(context, attempt, work);
}

function unreadable(): OperationError {
  return new OperationError(
    "Precondition",
    () =>
      t`This release of the dashboard cannot read this action, so nobody can decide about it here: its requester can cancel it and request it again.`,
  );
}

/** Returns the decision about an action that was found, with the other fields of its audit entry. */
export function decisionTask(
  context: VerbContext,
  {
    found,
    intent,
    input,
    noted = {},
  }: {
    readonly found: StoredIntent;
    readonly intent: Intent;
    readonly input: Decision;
    readonly noted?: Attempt["wanted"];
  },
): Task<Intent> {
  const attempt = attemptOf(intent, input);
  return {
    attempt: { ...attempt, wanted: { ...attempt.wanted, ...noted } },
    async work(tx) {
      requireNoProblem("Forbidden", () => problemOfDecider(found, intent, context.actor));
      if (input.decision === "approve") {
        await requireRequester(tx, { actorId: found.actorId, intent });
      }
      const row = await decide(tx, { context, intent, input });
      const { state, planHash } = row;
      const after = { state, requestedBy: intent.actor, planHash, ...noted };
      const before = { state: "awaiting-approval", planHash: intent.planHash ?? null };
      return { result: toIntent(row), audit: { before, after } };
    },
  };
}

/** Returns why this user cannot decide, whatever the action's state is. The requester is recognised by account, not by name. */
export function problemOfDecider(
  { actorId }: StoredIntent,
  { kind }: Intent,
  { id, name, role }: VerbContext["actor"],
): string | undefined {
  if (actorId === id) return t`You requested this: another user has to approve it.`;
  const needed = roleFor(kind);
  return roleIncludes(role, needed)
    ? undefined
    : t`Needs role ${needed}, as requesting it does; ${name} is ${role}.`;
}

function attemptOf({ cluster, object, id, actor }: Intent, input: Decision): Attempt {
  return {
    action: input.decision === "approve" ? "intent.approve" : "intent.decline",
    // Depends on the action, which the work determines.
    needs: undefined,
    ...{ cluster, object, why: input.why, intentId: id },
    wanted: { requestedBy: actor },
  };
}

interface Deciding {
  readonly context: VerbContext;
  readonly intent: Intent;
  readonly input: Decision;
}

async function decide(
  tx: Prisma.TransactionClient,
  { context: { actor }, intent, input }: Deciding,
): Promise<StoredIntent> {
  const { id, kind } = intent;
  const { why } = input;
  const by = { id: actor.id, name: actor.name };
  const decision =
    input.decision === "approve"
      ? { by, why, approved: { planHash: input.planHash, lifetimeMs: lifetimeMs(kind) } }
      : { by, why, result: declinedText({ by: actor.name, why }) };
  if (input.decision === "approve") await requireStillPossible(tx, { intent, input, actor });
  if (await decideRow(tx, id, decision)) return tx.intent.findUniqueOrThrow({ where: { id } });
  throw notWaiting(await tx.intent.findUniqueOrThrow({ where: { id } }));
}

/** Repeats the checks of the request: its end, and that nothing else changes the same thing. */
async function requireStillPossible(
  tx: Prisma.TransactionClient,
  {
    intent,
    input,
    actor,
  }: {
    readonly intent: Intent;
    readonly input: Extract<Decision, { decision: "approve" }>;
    readonly actor: VerbContext["actor"];
  },
): Promise<void> {
  const now = Date.now();
  // The requester has already typed the confirmation.
  const confirmation = typedOf(intent.action, intent.object)?.text;
  const request = { ...intent, planHash: input.planHash, confirmation };
  requireNoProblem("Invalid", () => problemOfAction(request, now));
  await requireNoRival(tx, { ...intent, actorId: actor.id }, now);
}

function notWaiting(row: StoredIntent): OperationError {
  return new OperationError("Precondition", () => whatBecameOf(row));
}

function whatBecameOf(row: StoredIntent): string {
  const { state, decidedByName: by, decidedWhy: why, result, expiresAt } = row;
  if (state === "awaiting-approval") {
    return t`It no longer waits for approval: nobody approved it before ${isoTime(expiresAt.getTime())}. It has to be requested again.`;
  }
  if (by !== null && state === "rejected" && result === declinedText({ by, why })) {
    return t`It no longer waits for approval: ${by} declined it: ${why ?? ""}`;
  }
  if (state === "rejected") return t`It no longer waits for approval: ${result ?? ""}`;
  if (by !== null) return t`It no longer waits for approval: ${by} has approved it.`;
  return state === "cancelled"
    ? t`It no longer waits for approval: it was withdrawn.`
    : t`It no longer waits for approval: it has expired.`;
}

/** Returns the text as the ledger stores it. */
function declinedText({ by, why }: { readonly by: string; readonly why: string | null }): string {
  return englishOf(() => declinedResult({ by, why: why ?? "" }));
}
