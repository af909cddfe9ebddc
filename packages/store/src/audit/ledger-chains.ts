import { AUDIT_CHAINS, type AuditChainName } from "@cloudwright/core/model/audit/audit-checkpoint";
import type { AuditChains } from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import type pg from "pg";
import { holds, noteCheckpoint, readHeads } from "../sql/chains.ts";
import { ACCOUNTS_CHAIN } from "./entry-text.ts";

/** The chains that the checkpoints of a cluster name: its own and that of accounts. */
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
