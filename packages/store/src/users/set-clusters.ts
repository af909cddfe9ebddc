import { sameJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import type { Prisma } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { carryOut, type VerbContext } from "../operations/verb.ts";
import { storableText } from "../text/storable-text.ts";
import type { UserView } from "../views/views.ts";
import { type ClusterAccess, clusterAccessOf } from "./cluster-access.ts";
import { lockUser, requireAnotherAdmin, userIdSchema, userRef, viewOf, whySchema } from "./user.ts";

const CLUSTERS_MOST = 500;

export const setClustersSchema = z.object({
  id: userIdSchema,
  /** Without any the user sees none. */
  clusters: z.union([
    z.literal("all"),
    z.array(storableText(200).min(1)).max(CLUSTERS_MOST).readonly(),
  ]),
  why: whySchema,
});
export type SetClustersInput = z.infer<typeof setClustersSchema>;

/**
 * Restricts a user to these clusters, or lifts that; it holds from their next request on. Needs an admin of all clusters.
 * Throws OperationError Forbidden, NotFound, Invalid for a cluster that no controller has reported, and Precondition for the
 * last admin of all clusters.
 */
export async function setClusters(
  context: VerbContext,
  { id, clusters, why }: SetClustersInput,
): Promise<UserView> {
  const found = await context.db.prisma.user.findUnique({ where: { id } });
  const wanted: ClusterAccess = clusters === "all" ? "all" : [...new Set(clusters)];
  const attempt = {
    action: "account.change",
    needs: "admin",
    object: found === null ? undefined : userRef(found),
    why: why ?? (wanted === "all" ? "Given all clusters" : "Restricted to clusters"),
    wanted: { clusters: plain(wanted) },
  } as const;
  return carryOut(context, attempt, async (tx) => {
    if (wanted !== "all") {
      await requireAnotherAdmin(tx, id);
      await requireKnown(tx, wanted);
    }
    const user = await lockUser(tx, id);
    const before = plain(clusterAccessOf(user));
    const restricted = wanted !== "all";
    const data = { restricted, clusters: wanted === "all" ? [] : [...wanted] };
    if (sameJson(before, plain(wanted))) return { result: await viewOf(tx, id) };
    await tx.user.update({ where: { id }, data });
    const audit = { before: { clusters: before }, after: { clusters: plain(wanted) } };
    return { result: await viewOf(tx, id), audit };
  });
}

function plain(access: ClusterAccess): string | string[] {
  return access === "all" ? "all" : [...access];
}

async function requireKnown(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<void> {
  const known = await tx.cluster.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true },
  });
  const missing = ids.find((id) => !known.some((cluster) => cluster.id === id));
  if (missing === undefined) return;
  throw new OperationError(
    "Invalid",
    `No controller has reported on a cluster ${missing}: choose one from the list.`,
  );
}
