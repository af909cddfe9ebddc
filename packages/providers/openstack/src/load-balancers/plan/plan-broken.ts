import type { LoadBalancerNext } from "@cloudwright/provider-api";
import { changeOf } from "../changes.ts";
import type { Decision, ServingFacts } from "../decision.ts";
import { deletionOf, isKept } from "../deletion.ts";
import { attachedTo } from "../floating-ips.ts";
import { isGuest } from "../ownership.ts";
import { sendOf } from "../tree-change.ts";

/**
 * For a load balancer in ERROR, Octavia only accepts a failover and its deletion. One that never served is deleted and re-created
 * after a while; for one that did, the policy or a user decides: its floating IP is kept for the new one.
 */
export function planBroken(facts: ServingFacts): Decision {
  const { input, loadBalancer, options } = facts;
  const { onError } = options.loadBalancer;
  const isOthersToo = isGuest(loadBalancer, input.owner) || isKept(loadBalancer, input.owner);
  const next = brokenNext(facts, isOthersToo);
  if (isOthersToo) return { changes: [], next };
  if (input.everything === true || isToBeReplaced(facts))
    return { changes: deletionOf(loadBalancer, options), next };
  if (onError !== "failover" || !hasServed(facts)) return { changes: [], next };
  const { id } = loadBalancer;
  const change = changeOf(
    {
      action: "update",
      what: "load balancer",
      target: id,
      before: { state: "ERROR" },
      after: { failover: true },
    },
    sendOf(loadBalancer, {
      method: "PUT",
      resource: "loadbalancer",
      path: `loadbalancers/${id}/failover`,
    }),
  );
  return { changes: [change], next };
}

function hasServed({ input, loadBalancer }: ServingFacts): boolean {
  const isAttached = attachedTo(loadBalancer, input.observed.floatingIps) !== undefined;
  return isAttached || input.published.ingress.length > 0;
}

function isToBeReplaced(facts: ServingFacts): boolean {
  const { input, loadBalancer, options } = facts;
  const isAllowed = !hasServed(facts) || options.loadBalancer.onError === "recreate";
  const createdAt = Date.parse(`${loadBalancer.created_at.replace(/Z$/, "")}Z`);
  const ageMs = Number.isNaN(createdAt) ? Number.POSITIVE_INFINITY : input.observed.at - createdAt;
  return isAllowed && ageMs >= options.retryBrokenMs;
}

function brokenNext(facts: ServingFacts, isOthersToo: boolean): LoadBalancerNext {
  const { loadBalancer, options } = facts;
  const { id, operating_status } = loadBalancer;
  const state = `Octavia reports ERROR (operating status ${operating_status || "unknown"})`;
  const message = isOthersToo
    ? `${state}, and others use it, so it is left as it is; have it repaired in the cloud`
    : hasServed(facts) && options.loadBalancer.onError === "report"
      ? `${state}; ensure it again to replace it with its address kept, or set on-error in [LoadBalancer]`
      : state;
  return { kind: "broken", id, message };
}
