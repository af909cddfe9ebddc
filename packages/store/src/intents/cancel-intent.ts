import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import { KEPT_RESULTS } from "@cloudwright/core/model/actions/intent-result";
import { englishOf, t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { z } from "zod";
import type { Prisma, Intent as StoredIntent } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type VerbContext } from "../operations/verb.ts";
import { isUuid } from "../sql/lists/cursor.ts";
import { storableText } from "../text/storable-text.ts";
import { listedIntent, objectOfIntent } from "./stored-intent.ts";

export const cancelIntentSchema = z.object({
  cluster: storableText(200).min(1),
  id: storableText(200),
  why: storableText(500).trim().min(1).optional(),
});
export type CancelIntentInput = z.infer<typeof cancelIntentSchema>;

/**
 * Cancels an intent that no leader has claimed yet: the user's own, or anybody's for an admin. Throws OperationError NotFound, Forbidden,
 * and Precondition once it is claimed or over.
 */
export async function cancelIntent(
  context: VerbContext,
  input: CancelIntentInput,
): Promise<ListedIntent> {
  const { cluster, id } = input;
  const found = isUuid(id)
    ? await context.db.prisma.intent.findFirst({ where: { id, clusterId: cluster } })
    : null;
  // Not an audited attempt: there is no object that an audit entry could name.
  if (found === null)
    throw new OperationError("NotFound", () => t`No such action in this cluster.`);
  return carryOut(context, attemptOf(found, input), async (tx) => {
    requireOwner(context, found);
    const row = await cancelRow(tx, found);
    const audit = { before: { state: found.state }, after: { state: row.state } };
    return { result: listedIntent(row), audit };
  });
}

function attemptOf(found: StoredIntent, { why }: CancelIntentInput): Attempt {
  return {
    action: "intent.end",
    needs: undefined,
    cluster: found.clusterId,
    object: objectOfIntent(found),
    why: why ?? "Cancelled before a leader had claimed it",
    intentId: found.id,
    wanted: { state: "cancelled" },
  };
}

function requireOwner({ actor }: VerbContext, found: StoredIntent): void {
  if (found.actorId === actor.id || roleIncludes(actor.role, "admin")) return;
  throw new OperationError(
    "Forbidden",
    () => t`Only ${found.actorName}, who requested it, or an admin can cancel this action.`,
  );
}

async function cancelRow(tx: Prisma.TransactionClient, { id }: StoredIntent) {
  const [row] = await tx.intent.updateManyAndReturn({
    where: { id, state: { in: ["awaiting-approval", "requested"] } },
    data: { state: "cancelled", result: englishOf(KEPT_RESULTS.cancelled), updatedAt: new Date() },
  });
  if (row !== undefined) return row;
  const now = await tx.intent.findUniqueOrThrow({ where: { id } });
  throw new OperationError("Precondition", () =>
    OF_LEADER.has(now.state)
      ? t`A leader has claimed this action already, so it can no longer be cancelled.`
      : t`This action has ended already, so it can no longer be cancelled.`,
  );
}

const OF_LEADER: ReadonlySet<string> = new Set(["claimed", "running"]);
