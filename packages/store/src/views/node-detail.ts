import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { StoredPart } from "@cloudwright/core/model/kinds/known-object";
import type { Reason } from "@cloudwright/core/model/reason";
import type { MachineAnswer } from "@cloudwright/core/model/records/machine-record";
import type { NodeFacts, TimelineStep } from "@cloudwright/core/model/records/node-record";
import type {
  NodeRangesDetail,
  NodeRoutesDetail,
} from "@cloudwright/core/model/records/route-record";
import type { Unread } from "./unread.ts";
import type { NodeRow } from "./views.ts";

/** One controller's last report on a node. */
export interface NodeControllerState extends Omit<StoredPart, "detail" | "underneath"> {
  /** The controller whose report explains this one: its machine is gone, or stopped. */
  readonly follows: ControllerName | undefined;
  /** For a held node: what was wrong when the hold began. */
  readonly underneath?: { readonly reason: Reason } | undefined;
}

/** The optional parts of a node's page. */
export const NODE_PARTS = ["fleet", "openIntents"] as const;
export type NodePart = (typeof NODE_PARTS)[number];

export interface NodeDetail extends Unread<NodePart> {
  readonly row: NodeRow;
  readonly createdAt: number | undefined;
  readonly goneAt: number | undefined;
  readonly controllers: readonly NodeControllerState[];
  readonly timeline: readonly TimelineStep[];
  readonly taints: readonly {
    readonly key: string;
    readonly effect: string;
    readonly value?: string | undefined;
  }[];
  readonly node: NodeFacts | undefined;
  readonly cloud: NodeFacts | undefined;
  readonly wanted: NodeFacts | undefined;
  /** The cloud's last answer about its machine, whoever asked; undefined if nobody has. */
  readonly machine: MachineAnswer | undefined;
  readonly ready: { readonly status: string; readonly since: number | undefined } | undefined;
  readonly kubeletVersion: string | undefined;
  /** Its routes as the route controller last observed them; undefined if it has not. */
  readonly routes: NodeRoutesDetail | undefined;
  /** Its pod ranges as our IPAM assigned them; undefined if our IPAM does not assign them. */
  readonly ranges: NodeRangesDetail | undefined;
  /** Initialisation times of the fleet over 7 days. */
  readonly fleet:
    | { readonly p50Ms: number; readonly p95Ms: number; readonly nodes: number }
    | undefined;
  readonly openIntents: readonly ListedIntent[];
}
