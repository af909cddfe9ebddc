import type { Reason } from "@cloudwright/core/model/reason";
import type {
  LoadBalancerDetail,
  MemberVerdict,
} from "@cloudwright/core/model/records/load-balancer-record";
import type { Drift, State } from "@cloudwright/core/model/state";

/** What the Topology page shows. What is not known is left out, as thousands are sent at once. Times are milliseconds since the epoch. */

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
  /** Absent of a node that is well. */
  readonly reason?: Reason;
}

/** The worst `TOPOLOGY_SERVICES_MOST` of those that a text selects: each holds a verdict for every node. */
export interface TopologyServices {
  readonly services: readonly TopologyService[];
  /** How many there are of them. */
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
  /** Absent while there is none in the cloud. */
  readonly loadBalancer?: {
    readonly id: string;
    readonly type: string;
    readonly state: string;
    readonly addresses: readonly string[];
  };
  readonly listeners: readonly (LoadBalancerDetail["ports"][number] & {
    /** Whether what the cloud has differs from what is asked for. */
    readonly differs: boolean;
  })[];
  /** How many nodes have which verdict. */
  readonly members: Readonly<Record<MemberVerdict["verdict"], number>>;
  /** Those that are not simply in, up to `TOPOLOGY_MEMBERS_MOST`: on their way first. */
  readonly others: readonly MemberVerdict[];
}

export const TOPOLOGY_MEMBERS_MOST = 60;
