import type { Reason } from "@cloudwright/core/model/reason";
import type {
  LoadBalancerDetail,
  MemberVerdict,
} from "@cloudwright/core/model/records/load-balancer-record";
import type { Drift, State } from "@cloudwright/core/model/state";
import { wordAt } from "./columns.ts";

/** The content of the Topology page. Times are milliseconds since the epoch. */

/** At most `TOPOLOGY_NODES_MOST` nodes, the worst first. */
export interface TopologyNodes {
  readonly nodes: readonly TopologyNode[];
  readonly isCut: boolean;
}

export const TOPOLOGY_NODES_MOST = 10_000;

export interface TopologyNode {
  readonly name: string;
  readonly state: State;
  readonly since: number;
  readonly zone?: string;
  readonly type?: string;
  /** Absent for a healthy node. */
  readonly reason?: Reason;
}

/** The same as the dashboard's server sends it: a list for each member, as thousands of objects take it twice as long. */
export interface TopologyNodesColumns {
  /** The zones and types. */
  readonly words: readonly string[];
  readonly names: readonly string[];
  readonly states: readonly State[];
  readonly since: readonly number[];
  /** By their places among the words. */
  readonly zones: readonly number[];
  readonly types: readonly number[];
  /** Of the nodes that are not well, which are the first; null where none is recorded. */
  readonly reasons: readonly (Reason | null)[];
  readonly isCut: boolean;
}

export function topologyNodesOf(columns: TopologyNodesColumns): TopologyNodes {
  const { words, states, since, zones, types, reasons } = columns;
  const nodes = states.map((state, at) => {
    const zone = wordAt(words, zones[at]);
    const type = wordAt(words, types[at]);
    const reason = reasons[at] ?? undefined;
    return {
      name: columns.names[at] ?? "",
      state,
      since: since[at] ?? 0,
      ...(zone === undefined ? {} : { zone }),
      ...(type === undefined ? {} : { type }),
      ...(reason === undefined ? {} : { reason }),
    };
  });
  return { nodes, isCut: columns.isCut };
}

/** The worst `TOPOLOGY_SERVICES_MOST` that match a text: each holds a verdict for every node. */
export interface TopologyServices {
  readonly services: readonly TopologyService[];
  /** How many match. */
  readonly total: number;
}

export const TOPOLOGY_SERVICES_MOST = 40;

export interface TopologyService {
  /** `shop/web`. */
  readonly name: string;
  readonly state: State;
  readonly since: number;
  readonly drift: Drift;
  readonly reason?: Reason;
  /** Absent while the cloud has none. */
  readonly loadBalancer?: {
    readonly id: string;
    readonly type: string;
    readonly state: string;
    readonly addresses: readonly string[];
  };
  readonly listeners: readonly (LoadBalancerDetail["ports"][number] & {
    /** Whether actual and desired listener differ. */
    readonly differs: boolean;
  })[];
  /** How many nodes have each verdict. */
  readonly members: Readonly<Record<MemberVerdict["verdict"], number>>;
  /** Nodes that are not simply members, up to `TOPOLOGY_MEMBERS_MOST`: those being added or removed first. */
  readonly others: readonly MemberVerdict[];
}

export const TOPOLOGY_MEMBERS_MOST = 60;
