import {
  AUDIT_CHAINS,
  type AuditChainName,
  type AuditCheckpoint,
} from "@cloudwright/core/model/audit/audit-checkpoint";
import type { AuditChains } from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import type pg from "pg";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { holds, noteCheckpoint, readHead, readHeads, readNotedCheckpoint } from "../sql/chains.ts";
import type { ChainHead, KnownHead, NotedHead } from "../views/chains.ts";
import { ACCOUNTS_CHAIN } from "./entry-text.ts";

export interface LastVerification {
  readonly at: number;
  readonly intact: boolean;
  /** How many entries the chain had then. */
  readonly entries: number;
  readonly by: string;
  /** The last entry that a checkpoint vouched for then; undefined for a verification by an earlier release. */
  readonly anchoredTo: number | undefined;
}

/** What is known about a chain without reading it. */
export interface AuditChainView {
  /** A cluster's id, or `accounts`. */
  readonly chain: string;
  /** Undefined while the chain has no entries. */
  readonly head: ChainHead | undefined;
  /** When the chain's first entry happened. */
  readonly since: number | undefined;
  /** The last checkpoint that was written outside the database, as the leader noted it. */
  readonly checkpoint: NotedHead | undefined;
  /** When a user last had the chain verified here. */
  readonly verified: LastVerification | undefined;
}

/** Returns the state of the audit chain of a cluster, or of `accounts`. The head's number is the count of its entries. */
export async function auditChain(
  db: Pick<Database, "pool" | "prisma">,
  chain: string,
): Promise<AuditChainView> {
  const [head, checkpoint, since, verified] = await Promise.all([
    readHead(db.pool, chain),
    readNotedCheckpoint(db.pool, chain),
    readSince(db, chain),
    readVerified(db, chain),
  ]);
  return { chain, head, since, checkpoint, verified };
}

async function readSince({ prisma }: Pick<Database, "prisma">, chain: string) {
  const first = await prisma.auditEntry.findFirst({
    where: { chain },
    orderBy: { seq: "asc" },
    select: { at: true },
  });
  return first?.at.getTime();
}

const verifiedSchema = z.object({
  intact: z.boolean(),
  entries: z.number(),
  anchoredTo: z.number().optional(),
});

async function readVerified(
  { prisma }: Pick<Database, "prisma">,
  chain: string,
): Promise<LastVerification | undefined> {
  const entry = await prisma.auditEntry.findFirst({
    where: { chain, action: "audit.verify" },
    orderBy: { seq: "desc" },
    select: { at: true, actorName: true, after: true },
  });
  const found = verifiedSchema.safeParse(entry?.after).data;
  if (entry === null || found === undefined) return undefined;
  const { intact, entries, anchoredTo } = found;
  return { at: entry.at.getTime(), by: entry.actorName, intact, entries, anchoredTo };
}

/** Returns the chains that a cluster's checkpoints name: its own and the one of accounts. */
export function ledgerChains(pool: pg.Pool, cluster: string): AuditChains {
  const names: Record<AuditChainName, string> = { cluster, accounts: ACCOUNTS_CHAIN };
  return {
    async heads() {
      const found = await readHeads(pool, Object.values(names));
      const heads = AUDIT_CHAINS.map((name) => [name, found.get(names[name])] as const);
      return Object.fromEntries(heads.filter(([, head]) => head !== undefined));
    },
    holds: (name, head) => holds(pool, names[name], head),
    async note(checkpoint, place) {
      for (const name of AUDIT_CHAINS) {
        const head = checkpoint[name];
        if (head === undefined) continue;
        await noteCheckpoint(pool, names[name], { ...head, at: checkpoint.at, place });
      }
    },
  };
}

/** Returns the heads that a checkpoint names, each with its chain. */
export function knownHeads(
  checkpoint: AuditCheckpoint,
  cluster: string,
  kept: Pick<KnownHead, "place" | "copy">,
): readonly (readonly [chain: string, head: KnownHead])[] {
  const names = { cluster, accounts: ACCOUNTS_CHAIN };
  return AUDIT_CHAINS.flatMap((chain) => {
    const head = checkpoint[chain];
    return head === undefined
      ? []
      : [[names[chain], { ...head, at: checkpoint.at, ...kept }] as const];
  });
}
