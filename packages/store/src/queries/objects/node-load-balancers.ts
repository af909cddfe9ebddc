import { verdictOf } from "@cloudwright/core/model/kinds/compact-verdicts";
import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import { stateSchema } from "@cloudwright/core/model/state";
import type { Database } from "../../database/database.ts";
import { type StoredVerdict, verdictsOn } from "../../sql/object-rows.ts";
import { readJson } from "../../sql/stored-json.ts";
import {
  NODE_LOAD_BALANCERS_MOST,
  type NodeLoadBalancer,
  type NodeLoadBalancers,
} from "../../views/load-balancers.ts";

/** The load balancers of a cluster as one node stands towards them; of a node that no load balancer has judged there are none. */
export async function nodeLoadBalancers(
  db: Database,
  input: { readonly cluster: string; readonly name: string },
): Promise<NodeLoadBalancers> {
  const rows = await verdictsOn(db, input);
  const judged = rows.flatMap((row) => nodeLoadBalancer(row, input.name));
  const behind = judged.filter(({ verdict }) => isBehind(verdict));
  const others = judged.filter(({ verdict }) => !isBehind(verdict));
  return {
    balancers: [...behind, ...others].slice(0, NODE_LOAD_BALANCERS_MOST),
    behind: behind.length,
    total: judged.length,
  };
}

function nodeLoadBalancer(row: StoredVerdict, node: string): readonly NodeLoadBalancer[] {
  const verdict = verdictOf(node, row.verdict);
  if (verdict === undefined) return [];
  const state = readJson(stateSchema, row.state, "unknown");
  return [{ service: row.name, state, addresses: row.addresses, verdict }];
}

function isBehind({ verdict }: MemberVerdict): boolean {
  return verdict !== "out";
}
