import type { CallContext, LoadBalancers, OwnedLoadBalancer } from "@cloudwright/provider-api";
import { applyLoadBalancerChange } from "./apply-load-balancer.ts";
import type { CloudClient } from "./cloud-client.ts";
import { ANNOTATION_PREFIX } from "./compare-load-balancer.ts";
import { factsOf } from "./kept-load-balancer.ts";
import {
  createLoadBalancerReads,
  type FirewallRule,
  type LoadBalancer,
  type LoadBalancerReads,
  type ObservedLoadBalancer,
} from "./load-balancer.ts";
import { observeLoadBalancers } from "./observe-load-balancers.ts";
import { ownerOf, TAGS, tagOf } from "./owners.ts";
import { planLoadBalancer } from "./plan-load-balancer.ts";

/** Creates the sandbox cloud's load balancers, each with a firewall rule if access is restricted (spec/70). */
export function createLoadBalancers(client: CloudClient): LoadBalancers<ObservedLoadBalancer> {
  const reads = createLoadBalancerReads(client);
  return {
    abilities: {
      protocols: ["TCP", "UDP"],
      mixedProtocols: true,
      families: ["IPv4", "IPv6"],
      affinity: true,
      sourceRanges: true,
      requestedAddress: true,
      annotationPrefixes: [ANNOTATION_PREFIX],
      ignoredFields: ["name", "createdAt", `tag ${TAGS.clusterName}`, "tags of others"],
    },
    observe: (owners, context) => observeLoadBalancers(reads, owners, context),
    plan: planLoadBalancer,
    apply: (change, context) => applyLoadBalancerChange(client, change, context),
    owned: (clusterUid, context) => listOwned(reads, clusterUid, context),
  };
}

/** Includes rules left without their load balancer. */
async function listOwned(
  reads: LoadBalancerReads,
  clusterUid: string,
  context: CallContext,
): Promise<readonly OwnedLoadBalancer[]> {
  const filter = { tags: { [TAGS.cluster]: clusterUid }, target: "all of the cluster" };
  const [loadBalancers, rules] = await Promise.all([
    reads.balancers(filter, context),
    reads.rules(filter, context),
  ]);
  const served = new Set(loadBalancers.map(serviceUidOf));
  const alone = rules.filter((rule) => !served.has(serviceUidOf(rule)));
  return [
    ...loadBalancers.flatMap((loadBalancer) =>
      ownedAs(loadBalancer, factsOf(loadBalancer, { rules: rulesOf(loadBalancer, rules) })),
    ),
    ...alone.flatMap((rule) => ownedAs(rule, factsOf(undefined, { rules: [rule] }))),
  ];
}

function rulesOf(loadBalancer: LoadBalancer, rules: readonly FirewallRule[]): FirewallRule[] {
  return rules.filter((rule) => serviceUidOf(rule) === serviceUidOf(loadBalancer));
}

function serviceUidOf(item: LoadBalancer | FirewallRule): string | undefined {
  return tagOf(item, TAGS.serviceUid);
}

function ownedAs(
  item: LoadBalancer | FirewallRule,
  facts: OwnedLoadBalancer["facts"] | undefined,
): readonly OwnedLoadBalancer[] {
  const mark = ownerOf(item);
  if (mark === undefined || facts === undefined) return [];
  const service = tagOf(item, TAGS.service);
  return [{ owner: mark, facts, ...(service === undefined ? {} : { service }) }];
}
