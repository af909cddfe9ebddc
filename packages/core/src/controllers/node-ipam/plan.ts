import type { Next, NotTaken, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { planHeld } from "../hold/plan-held.ts";
import { refOf } from "../objects/node-object.ts";
import { isDeleting } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { PodCidrsWrite } from "./changes.ts";
import type { IpamObserved } from "./observed.ts";

/** Plans a Node's pod ranges: they are given once; existing ones are checked, and never changed. */
export function planIpam(observed: IpamObserved, nowMs: number): Plan<PodCidrsWrite> {
  const { node, offer } = observed;
  const hold = activeHoldOf(node, nowMs);
  if (hold !== undefined) return planHeld(node, hold, nowMs);
  if (podCidrsOf(node).length > 0) return planGiven(observed);
  if (isDeleting(node) || offer === undefined) {
    return nothing({ kind: "settled", reason: { code: "NodeLeaving" } });
  }
  if (offer.kind === "blocks") return planWrite(observed, offer.cidrs);
  const { range, capacity } = offer;
  return nothing({
    kind: "blocked",
    reason: { code: "PodCIDRsExhausted", range, capacity },
  });
}

function planWrite({ node }: IpamObserved, cidrs: readonly string[]): Plan<PodCidrsWrite> {
  const change: PodCidrsWrite = {
    kind: "node.pod-cidrs.write",
    system: "cluster",
    target: refOf(node),
    before: { podCIDRs: [] },
    after: { podCIDRs: cidrs },
    reason: { code: "PodCIDRsMissing" },
  };
  const reason: Reason = { code: "PodCIDRsInStep", cidrs: [...cidrs] };
  return { changes: [change], notTaken: [], next: { kind: "settled", reason } };
}

/** The API server lets nobody change the pod ranges of a Node, so only a user can correct what is wrong. */
function planGiven({ node, problems, lacking }: IpamObserved): Plan<PodCidrsWrite> {
  const cidrs = podCidrsOf(node);
  const notTaken: readonly NotTaken[] = [
    ...problems.map((reason) => ({ step: "another pod range", reason })),
    ...lacking.map((range): NotTaken => {
      return {
        step: `pod range of ${range}`,
        reason: { code: "PodCIDRsFixed", cidrs: [...cidrs] },
      };
    }),
  ];
  const [problem] = problems;
  const next: Next =
    problem === undefined
      ? { kind: "settled", reason: { code: "PodCIDRsInStep", cidrs: [...cidrs] } }
      : { kind: "blocked", reason: problem };
  return { changes: [], notTaken, next };
}

function nothing(next: Next): Plan<PodCidrsWrite> {
  return { changes: [], notTaken: [{ step: "give pod ranges", reason: next.reason }], next };
}
