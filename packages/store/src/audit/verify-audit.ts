import { OperationError } from "../operations/errors.ts";
import { requireRole, type VerbContext } from "../operations/verb.ts";
import { mayReach, unknownCluster } from "../users/cluster-access.ts";
import type { ChainVerification } from "../views/chains.ts";
import { insertAuditEntry, type NewAuditEntry } from "./audit-insert.ts";
import { ACCOUNTS_CHAIN } from "./entry-text.ts";
import { verifyChain } from "./verify-chain.ts";

/**
 * Verifies the chain of a cluster, or of `accounts`, for a user, and audits the result. Throws OperationError NotFound for a cluster that
 * no controller has reported.
 */
export async function verifyAudit(
  context: VerbContext,
  chain: string,
  verify: (chain: string) => Promise<ChainVerification> = (wanted) =>
    verifyChain(context.db.pool, { chain: wanted }),
): Promise<ChainVerification> {
  requireRole(context, "viewer");
  await requireChain(context, chain);
  const found = await verify(chain);
  await insertAuditEntry(context.db.prisma, {
    ...entryOf(context, chain),
    action: "audit.verify",
    why: found.sentence,
    result: found.intact ? "applied" : "failed",
    before: null,
    after: {
      intact: found.intact,
      entries: found.entries,
      head: found.head?.seq ?? 0,
      anchoredTo: found.anchoredTo,
      breaks: found.breaks.map(({ sentence }) => sentence),
      checkpoints: found.checkpoints.map(({ copy, seq, place, matches }) => ({
        copy,
        seq,
        place,
        matches,
      })),
    },
  });
  return found;
}

/** Throws OperationError NotFound for a chain that cannot exist, or that the actor may not see. */
export async function requireChain(
  { db, actor }: Pick<VerbContext, "db" | "actor">,
  chain: string,
): Promise<void> {
  if (mayReach(actor.clusters, chain)) {
    if (chain === ACCOUNTS_CHAIN) return;
    if ((await db.prisma.cluster.count({ where: { id: chain } })) === 1) return;
  }
  throw new OperationError("NotFound", unknownCluster);
}

/** Returns an entry about a chain, which belongs to that chain. */
export function entryOf(
  { actor, client, session }: VerbContext,
  chain: string,
): Pick<NewAuditEntry, "actor" | "client" | "cluster" | "proof"> {
  return {
    actor: { kind: "person", id: actor.id, name: actor.name },
    client,
    proof: session,
    ...(chain === ACCOUNTS_CHAIN ? {} : { cluster: chain }),
  };
}
