import { t } from "@cloudwright/core/model/language/text";
import type { NodeLoadBalancers } from "@cloudwright/store/views/load-balancers";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { memberReason } from "../../../platform/objects/members.ts";
import { VERDICT_PRESENTATION } from "../../../platform/objects/route-verdicts.ts";

/** Something that waits for a node, or does without it. */
export interface Waiting {
  readonly key: string;
  readonly what: "pods" | "route" | "balancer";
  /** The taint, the pod range or the Service. */
  readonly name: string;
  readonly sentence: string;
}

/** Returns what waits for a node that is not as it should be, as far as controllers have reported it. */
export function waitsForNode(
  node: Pick<NodeDetail, "taints" | "ready" | "routes">,
  loadBalancers: NodeLoadBalancers | undefined,
): readonly Waiting[] {
  return [...podsOf(node), ...routesOf(node), ...balancersOf(loadBalancers)];
}

function podsOf({ taints, ready }: Pick<NodeDetail, "taints" | "ready">): readonly Waiting[] {
  const tainted = taints
    .filter(({ effect }) => effect === "NoSchedule" || effect === "NoExecute")
    .map(({ key, effect }): Waiting => {
      const sentence =
        effect === "NoExecute"
          ? t`Pods that do not tolerate this taint are not scheduled here, and those already running here are evicted.`
          : t`Pods that do not tolerate this taint are not scheduled here.`;
      return { key: `taint ${key} ${effect}`, what: "pods", name: `${key}:${effect}`, sentence };
    });
  if (ready === undefined || ready.status === "True") return tainted;
  const sentence = t`The scheduler sends no new pods to a node that is not ready.`;
  return [{ key: "ready", what: "pods", name: t`Ready is ${ready.status}`, sentence }, ...tainted];
}

function routesOf({ routes }: Pick<NodeDetail, "routes">): readonly Waiting[] {
  const broken = routes?.cells.filter(({ verdict }) => verdict !== "keep") ?? [];
  return broken.map(({ cidr, verdict, evidence }) => {
    const { label, help } = VERDICT_PRESENTATION[verdict];
    return {
      ...{ key: `route ${cidr} ${verdict}`, what: "route", name: cidr },
      sentence: evidence === undefined ? t`${label}. ${help}` : t`${label}. ${help} ${evidence}.`,
    };
  });
}

function balancersOf(loadBalancers: NodeLoadBalancers | undefined): readonly Waiting[] {
  const waiting = loadBalancers?.balancers.filter(
    ({ verdict: { verdict, why } }) =>
      verdict === "soon" || (verdict === "out" && !BY_DESIGN.has(why)),
  );
  return (waiting ?? []).map(({ service, verdict }) => ({
    ...{ key: `balancer ${service}`, what: "balancer", name: service },
    sentence:
      verdict.verdict === "soon"
        ? t`Its load balancer does not have this node yet: ${memberReason(verdict)}.`
        : t`Its load balancer leaves this node out: ${memberReason(verdict)}.`,
  }));
}

/** These are intended. */
const BY_DESIGN: ReadonlySet<string> = new Set([
  "cordoned",
  "excludedByLabel",
  "autoscalerRemoves",
  "beingDeleted",
  "foreign",
]);
