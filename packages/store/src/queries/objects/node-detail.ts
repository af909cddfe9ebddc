import { verdictOf } from "@cloudwright/core/model/kinds/compact-verdicts";
import { detailOf, type StoredParts } from "@cloudwright/core/model/kinds/known-object";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { t } from "@cloudwright/core/model/language/text";
import { causeOfPart } from "@cloudwright/core/model/reasons/deepest-cause";
import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import {
  lifecycleDetailSchema,
  type MachineAnswer,
} from "@cloudwright/core/model/records/machine-record";
import type { NodeFacts } from "@cloudwright/core/model/records/node-record";
import {
  nodeRangesDetailSchema,
  nodeRoutesDetailSchema,
} from "@cloudwright/core/model/records/route-record";
import { STATES, stateSchema } from "@cloudwright/core/model/state";
import type { Database } from "../../database/database.ts";
import { openIntentsOf } from "../../intents/intents.ts";
import { objectByName, type StoredVerdict, verdictsOn } from "../../sql/objects/object-rows.ts";
import { fleetInitialisation } from "../../sql/runs/activity.ts";
import { readJson } from "../../sql/stored-json.ts";
import {
  NODE_LOAD_BALANCERS_MOST,
  type NodeLoadBalancer,
  type NodeLoadBalancers,
} from "../../views/load-balancers.ts";
import type { NodeControllerState, NodeDetail, NodePart } from "../../views/node-detail.ts";
import { type PartialInput, partReader } from "../partial/part-reader.ts";

export interface NodeDetailInput extends PartialInput {
  readonly cluster: string;
  readonly name: string;
}

/** Returns all that is known of one node, even if it is gone. Throws OperationError NotFound for an unknown name. */
export async function nodeDetail(db: Database, input: NodeDetailInput): Promise<NodeDetail> {
  const { part, naming } = partReader<NodePart>(input);
  const [{ row, own, parts, createdAt, goneAt }, fleet, openIntents] = await Promise.all([
    objectByName(db, nodeKind, {
      ...input,
      notFound: () => t`No controller has reported on a node ${input.name} here.`,
    }),
    part("fleet", fleetInitialisation(db.pool, input.cluster), undefined),
    part(
      "openIntents",
      openIntentsOf(db, { cluster: input.cluster, kind: "Node", name: input.name }),
      [],
    ),
  ]);
  const { node, cloud } = own;
  return naming({
    row,
    createdAt,
    goneAt,
    controllers: controllersOf(parts),
    timeline: own.timeline ?? [],
    taints: node?.taints ?? [],
    node: node?.facts,
    cloud,
    machine: newestAnswer(cloud, parts),
    wanted: own.wanted,
    ready: node === undefined ? undefined : { status: node.ready, since: node.readySince },
    kubeletVersion: node?.kubeletVersion,
    routes: detailOf(parts, nodeRoutesDetailSchema),
    ranges: detailOf(parts, nodeRangesDetailSchema),
    fleet,
    openIntents,
  });
}

/** Facts mean that the machine existed; the lifecycle controller may have learnt since that it is gone. */
function newestAnswer(cloud: NodeFacts | undefined, parts: StoredParts): MachineAnswer | undefined {
  const known = detailOf(parts, lifecycleDetailSchema)?.answer;
  if (cloud?.power === undefined) return known;
  const { power: kind, asOf, requestId } = cloud;
  return known !== undefined && known.asOf >= asOf ? known : { kind, asOf, requestId };
}

/** Returns the controllers' states, worst first. */
function controllersOf(parts: StoredParts): readonly NodeControllerState[] {
  const all = Object.values(parts).filter((part) => part !== undefined);
  return all
    .map((part) => {
      const { detail: _detail, ...said } = part;
      return { ...said, follows: causeOfPart(part, all)?.controller };
    })
    .sort((left, right) => STATES.indexOf(left.state) - STATES.indexOf(right.state));
}

/** Returns a cluster's load balancers with this node's state in each; none for a node that no load balancer has evaluated. */
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
