import { verdictOf } from "@cloudwright/core/model/kinds/compact-verdicts";
import { serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import {
  loadBalancerDetailSchema,
  type MemberVerdict,
} from "@cloudwright/core/model/records/load-balancer-record";
import { driftSchema, STATES, type State, stateSchema } from "@cloudwright/core/model/state";
import type { Database } from "../../database/database.ts";
import {
  TOPOLOGY_MEMBERS_MOST,
  TOPOLOGY_NODES_MOST,
  TOPOLOGY_SERVICES_MOST,
  type TopologyNodesColumns,
  type TopologyService,
  type TopologyServices,
} from "../../views/topology.ts";
import { readJson, readReason, sqlKinds } from "../stored-json.ts";
import { WordList } from "./word-list.ts";

/*
 * By hand: members of JSON that stay in the database, and verdicts that are counted there: the topology shows a few words for each of
 * thousands of objects.
 */

/** Returns every node that is not gone, the worst first. */
export async function topologyNodes(
  { pool }: Pick<Database, "pool">,
  { cluster }: { readonly cluster: string },
): Promise<TopologyNodesColumns> {
  const { rows } = await pool.query<StoredNode>(NODES, [cluster]);
  return {
    ...nodeColumns(rows.slice(0, TOPOLOGY_NODES_MOST)),
    isCut: rows.length > TOPOLOGY_NODES_MOST,
  };
}

/** An index has all but long reasons, which are looked up. */
const NODES = `
  SELECT name, state, (extract(epoch FROM since) * 1000)::float8 AS since_ms, zone, instance_type,
         CASE WHEN state <> 'ok'
              THEN coalesce(short_reason, (
                     SELECT reason FROM node_states AS of
                      WHERE of.cluster_id = node.cluster_id AND of.kind = node.kind AND of.name = node.name)) END AS reason
    FROM node_states AS node
   WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeKind)} AND state <> 'gone'
   ORDER BY state_rank, since, name_key, name
   LIMIT ${TOPOLOGY_NODES_MOST + 1}`;

interface StoredNode {
  readonly name: string;
  readonly state: string;
  readonly since_ms: number;
  readonly zone: string | null;
  readonly instance_type: string | null;
  readonly reason: unknown;
}

/** A map, as a schema takes longer and there are thousands. */
const KNOWN_STATES: ReadonlyMap<string, State> = new Map(STATES.map((state) => [state, state]));

function nodeColumns(nodes: readonly StoredNode[]): Omit<TopologyNodesColumns, "isCut"> {
  const list = new WordList();
  const lastUnwell = nodes.findLastIndex(({ reason }) => reason !== null);
  return {
    names: nodes.map(({ name }) => name),
    states: nodes.map(({ state }) => KNOWN_STATES.get(state) ?? STATES[1]),
    since: nodes.map(({ since_ms: since }) => since),
    zones: nodes.map(({ zone }) => list.placeOf(zone)),
    types: nodes.map(({ instance_type: type }) => list.placeOf(type)),
    reasons: nodes
      .slice(0, lastUnwell + 1)
      .map(({ reason }) => (reason === null ? null : readReason(reason))),
    words: list.words,
  };
}

/** Returns the Services that a text matches, with their load balancers, the worst first. */
export async function topologyServices(
  { pool }: Pick<Database, "pool">,
  { cluster, text = "" }: { readonly cluster: string; readonly text?: string | undefined },
): Promise<TopologyServices> {
  const { rows } = await pool.query<StoredService>(SERVICES, [cluster, text.trim().toLowerCase()]);
  return { services: rows.map(topologyService), total: rows[0]?.total ?? 0 };
}

/** A verdict stored as a number means that the node is in; the others are named by the first word of the list. */
const SERVICES = `
  WITH shown AS MATERIALIZED (
    SELECT name, state, state_rank, since, name_key, drift, addresses, detail, member_verdicts,
           CASE WHEN state <> 'ok' THEN reason END AS reason, (count(*) OVER ())::int AS total
      FROM load_balancer_states
     WHERE cluster_id = $1 AND kind = ${sqlKinds(serviceKind)} AND state <> 'gone'
       AND ($2 = '' OR strpos(search_text, $2) > 0)
     ORDER BY state_rank, since, name_key, name
     LIMIT ${TOPOLOGY_SERVICES_MOST}
  )
  SELECT name, state, since, drift, addresses, reason, total, detail -> 'ports' AS ports,
         detail -> 'aspects' AS aspects, detail -> 'actual' AS actual, members.counts, members.others
    FROM shown
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object(
               'in', count(*) FILTER (WHERE word = 'in'), 'soon', count(*) FILTER (WHERE word = 'soon'),
               'leaving', count(*) FILTER (WHERE word = 'leaving'), 'out', count(*) FILTER (WHERE word = 'out')) AS counts,
             jsonb_path_query_array(
               jsonb_agg(jsonb_build_array(node, verdict) ORDER BY array_position('{soon,leaving,out,in}'::text[], word), node)
                 FILTER (WHERE jsonb_typeof(verdict) = 'array'), '$[0 to ${TOPOLOGY_MEMBERS_MOST - 1}]') AS others
        FROM (SELECT node, verdict, CASE jsonb_typeof(verdict) WHEN 'array' THEN verdict ->> 0 ELSE 'in' END AS word
                FROM jsonb_each(CASE jsonb_typeof(member_verdicts) WHEN 'object' THEN member_verdicts ELSE '{}' END)
                  AS verdicts (node, verdict)) AS verdicts
    ) AS members ON true
   ORDER BY state_rank, since, name_key, name`;

interface StoredService {
  readonly name: string;
  readonly state: string;
  readonly since: Date;
  readonly drift: string;
  readonly addresses: readonly string[];
  readonly reason: unknown;
  readonly total: number;
  readonly ports: unknown;
  readonly aspects: unknown;
  readonly actual: unknown;
  readonly counts: TopologyService["members"];
  readonly others: readonly (readonly [string, unknown])[] | null;
}

const {
  ports: PORTS,
  aspects: ASPECTS,
  actual: ACTUAL,
} = loadBalancerDetailSchema.def.innerType.shape;

function topologyService(row: StoredService): TopologyService {
  const actual = readJson(ACTUAL, row.actual ?? undefined, undefined);
  const { name, since, counts: members, reason } = row;
  return {
    ...{ name, members },
    since: since.getTime(),
    state: readJson(stateSchema, row.state, STATES[1]),
    drift: readJson(driftSchema, row.drift, "notChecked"),
    ...(reason === null ? {} : { reason: readReason(reason) }),
    ...(actual === undefined ? {} : { loadBalancer: loadBalancerOf(actual, row.addresses) }),
    listeners: listenersOf(row),
    others: (row.others ?? []).flatMap(([node, kept]) => knownVerdict(node, kept)),
  };
}

function loadBalancerOf(
  { id, type, state }: { readonly id: string; readonly type: string; readonly state: string },
  addresses: readonly string[],
): NonNullable<TopologyService["loadBalancer"]> {
  return { id, type, state, addresses };
}

/** Providers name a listener's aspect by its port and protocol. */
function listenersOf({ ports, aspects }: StoredService): TopologyService["listeners"] {
  const compared = readJson(ASPECTS, aspects, []);
  const differing = new Set(
    compared.filter(({ desired, actual }) => desired !== actual).map(({ name }) => name),
  );
  return readJson(PORTS, ports, []).map((port) => ({
    ...port,
    differs: differing.has(`listener ${port.port}/${port.protocol}`),
  }));
}

function knownVerdict(node: string, kept: unknown): readonly MemberVerdict[] {
  const verdict = verdictOf(node, kept);
  return verdict === undefined ? [] : [verdict];
}
