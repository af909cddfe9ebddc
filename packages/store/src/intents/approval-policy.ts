import { APPROVED_ACTIONS, actionOf } from "@cloudwright/core/model/actions/action";
import type { IntentKind } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Prisma } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type VerbContext } from "../operations/verb.ts";
import { lockUntilEnd } from "../sql/intents.ts";
import { storableText } from "../text/storable-text.ts";
import { unknownCluster } from "../users/cluster-access.ts";
import type { ApprovalPolicyView } from "../views/approvals.ts";

export const setApprovalSchema = z.object({
  cluster: storableText(200).min(1),
  required: z.boolean(),
  why: storableText(500).trim().min(1),
});
export type SetApprovalInput = z.infer<typeof setApprovalSchema>;

/** With fewer admins nobody could approve an admin's own request. */
const ADMINS_LEAST = 2;

export async function approvalPolicy(db: Database, cluster: string): Promise<ApprovalPolicyView> {
  const [row, admins] = await Promise.all([
    db.prisma.approvalPolicy.findUnique({ where: { clusterId: cluster } }),
    countAdmins(db.prisma, cluster),
  ]);
  if (row === null) return { required: false, admins };
  const changed = { by: row.changedBy, at: row.changedAt.getTime() };
  return { required: row.required, changed, admins };
}

/**
 * Sets whether actions that can take traffic away wait for another user's approval. Actions that already wait go on waiting. Throws
 * OperationError Forbidden, NotFound, and Precondition while only one admin could approve: that admin could then act only by turning it off
 * again, and a switch that is turned off for each use protects nothing.
 */
export async function setApproval(
  context: VerbContext,
  { cluster, required, why }: SetApprovalInput,
): Promise<ApprovalPolicyView> {
  const known = await context.db.prisma.cluster.findUnique({ where: { id: cluster } });
  // Not an audited attempt: an entry under a made-up cluster would start a chain of its own.
  if (known === null) throw new OperationError("NotFound", unknownCluster);
  const attempt: Attempt = {
    ...{ action: "cluster.approval", needs: "admin", cluster, why, wanted: { required } },
    object: { kind: "Cluster", name: known.name },
  };
  await carryOut(context, attempt, async (tx) => {
    await lockUntilEnd(tx, `approval policy ${cluster}`);
    const before = await tx.approvalPolicy.findUnique({ where: { clusterId: cluster } });
    if ((before?.required ?? false) === required) return { result: undefined };
    if (required) await requireApprovers(tx, cluster);
    const changed = {
      ...{ required, actions: [...APPROVED_ACTIONS] },
      ...{ changedBy: context.actor.name, changedAt: new Date() },
    };
    await tx.approvalPolicy.upsert({
      where: { clusterId: cluster },
      create: { clusterId: cluster, ...changed },
      update: changed,
    });
    return {
      result: undefined,
      audit: { before: { required: !required }, after: { required } },
    };
  });
  return approvalPolicy(context.db, cluster);
}

async function requireApprovers(tx: Prisma.TransactionClient, cluster: string): Promise<void> {
  if ((await countAdmins(tx, cluster)) >= ADMINS_LEAST) return;
  throw new OperationError(
    "Precondition",
    () =>
      t`Only one admin has access to this cluster, and nobody could approve their requests: add a second admin first.`,
  );
}

function countAdmins(db: Pick<Prisma.TransactionClient, "user">, cluster: string): Promise<number> {
  return db.user.count({
    where: {
      role: "admin",
      NOT: { banned: true },
      OR: [{ restricted: false }, { clusters: { has: cluster } }],
    },
  });
}

/** Reports whether an action waits for another user's approval on this cluster. A preview never does: it changes nothing. */
export async function needsApproval(
  tx: Prisma.TransactionClient,
  { cluster, kind }: { readonly cluster: string; readonly kind: IntentKind },
): Promise<boolean> {
  if (kind === "preview" || actionOf(kind).mayTakeTraffic !== true) return false;
  return (await tx.approvalPolicy.count({ where: { clusterId: cluster, required: true } })) > 0;
}
