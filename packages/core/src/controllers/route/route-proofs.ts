import type { RouteProof } from "../../model/adoption.ts";
import type { CloudRoute } from "../../provider/routes.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";
import type { IpRange } from "./pod-ranges.ts";

/** Why a route without a mark may be this cluster's, and whose run would see to it. */
export interface RouteClaim {
  readonly proofs: readonly RouteProof[];
  /** The Node that it is in the way of, or that it leads to. */
  readonly node: string | undefined;
}

/**
 * What shows that a route without a mark is of a Node of this cluster: upstream gives it a pod range as destination, the Node's
 * machine as target, and the Node's UID as a hint for its name (spec/60 §5).
 */
export function claimTo(
  nodes: ClusterNodes,
  { name, target }: Pick<CloudRoute, "name" | "target">,
  range: IpRange | undefined,
): RouteClaim {
  const uid = UID.exec(name)?.[0];
  const gone = nodes.gone(uid, target);
  const holder = range === undefined ? undefined : nodes.claims.having(range)[0];
  const named = nodes.withUid(uid);
  const isRange = holder !== undefined || gone?.ranges.includes(range?.text ?? "") === true;
  const isNamed = named !== undefined || (uid !== undefined && gone?.uid === uid);
  return {
    proofs: [
      ...(isRange ? (["range"] as const) : []),
      ...(nodes.isOurs(target) ? (["machine"] as const) : []),
      ...(isNamed ? (["name"] as const) : []),
    ],
    node: holder ?? nodes.withMachine(target) ?? named,
  };
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
