import type { CallContext, LoadBalancers, OwnedLoadBalancer } from "@cloudwright/provider-api";
import { applyBalancerChange } from "./apply-balancer.ts";
import { markOf, TAGS, tagOf } from "./balancer-mark.ts";
import { type BalancerReads, createBalancerReads } from "./balancer-reads.ts";
import type { CloudClient } from "./cloud-client.ts";
import { ANNOTATION_PREFIX } from "./desired-balancer.ts";
import { factsOf } from "./kept-balancer.ts";
import type { Balancer, FirewallRule, ObservedBalancer } from "./load-balancer.ts";
import { observeBalancers } from "./observe-balancers.ts";
import { planBalancer } from "./plan-balancer.ts";

/** The sandbox cloud's load balancers, each with a firewall rule where not everybody may reach it (spec/70). */
export function createLoadBalancers(client: CloudClient): LoadBalancers<ObservedBalancer> {
  const reads = createBalancerReads(client);
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
    observe: (owners, context) => observeBalancers(reads, owners, context),
    plan: planBalancer,
    apply: (change, context) => applyBalancerChange(client, change, context),
    owned: (clusterUid, context) => listOwned(reads, clusterUid, context),
  };
}

/** Rules that stayed behind alone count as well. */
async function listOwned(
  reads: BalancerReads,
  clusterUid: string,
  context: CallContext,
): Promise<readonly OwnedLoadBalancer[]> {
  const filter = { tags: { [TAGS.cluster]: clusterUid }, target: "all of the cluster" };
  const [balancers, rules] = await Promise.all([
    reads.balancers(filter, context),
    reads.rules(filter, context),
  ]);
  const served = new Set(balancers.map(serviceUidOf));
  const alone = rules.filter((rule) => !served.has(serviceUidOf(rule)));
  return [
    ...balancers.flatMap((balancer) =>
      ownedAs(balancer, factsOf(balancer, { rules: rulesOf(balancer, rules) })),
    ),
    ...alone.flatMap((rule) => ownedAs(rule, factsOf(undefined, { rules: [rule] }))),
  ];
}

function rulesOf(balancer: Balancer, rules: readonly FirewallRule[]): FirewallRule[] {
  return rules.filter((rule) => serviceUidOf(rule) === serviceUidOf(balancer));
}

function serviceUidOf(item: Balancer | FirewallRule): string | undefined {
  return tagOf(item, TAGS.serviceUid);
}

function ownedAs(
  item: Balancer | FirewallRule,
  facts: OwnedLoadBalancer["facts"] | undefined,
): readonly OwnedLoadBalancer[] {
  const mark = markOf(item);
  if (mark === undefined || facts === undefined) return [];
  const service = tagOf(item, TAGS.service);
  return [{ owner: mark, facts, ...(service === undefined ? {} : { service }) }];
}
