import type {
  LoadBalancerFacts,
  LoadBalancerPlan,
  LoadBalancerSpec,
  LoadBalancerStatus,
} from "@cloudwright/provider-api";
import {
  type FirewallRule,
  type LoadBalancer,
  type ObservedLoadBalancer,
  placesOf,
} from "./load-balancer.ts";
import { TAGS, tagOf } from "./owners.ts";
import { memberIdOf, providerIDOf } from "./provider-id.ts";

type Ingress = LoadBalancerStatus["ingress"][number];

/** Of several load balancers with the mark, returns the one that the Service's status publishes, else the oldest. */
export function keptOf(
  loadBalancers: readonly LoadBalancer[],
  published: LoadBalancerStatus,
): LoadBalancer | undefined {
  const rank = (loadBalancer: LoadBalancer) => (isReachedBy(published, loadBalancer) ? 0 : 1);
  const age = ({ createdAt }: LoadBalancer) => Date.parse(createdAt);
  const [best] = [...loadBalancers].sort(
    (left, right) =>
      rank(left) - rank(right) || age(left) - age(right) || left.id.localeCompare(right.id),
  );
  return best;
}

/** Reports whether the load balancer has one of these addresses. */
export function isReachedBy({ ingress }: LoadBalancerStatus, loadBalancer: LoadBalancer): boolean {
  const places = new Set(placesOf(loadBalancer));
  return ingress.some(({ ip = "", hostname = "" }) => places.has(ip) || places.has(hostname));
}

/** Returns where it is reached; undefined while it has no address of its own or is not reliable. */
export function statusOf(
  loadBalancer: LoadBalancer | undefined,
  spec: LoadBalancerSpec | undefined,
): LoadBalancerStatus | undefined {
  if (spec === undefined) return { ingress: [] };
  if (loadBalancer === undefined || !REACHED.has(loadBalancer.state)) return undefined;
  const ingress = ingressOf(loadBalancer);
  return ingress.length === 0 ? undefined : { ingress };
}

const REACHED: ReadonlySet<LoadBalancer["state"]> = new Set(["active", "updating"]);

function ingressOf({
  address,
  addressV6,
  hostname,
  ipMode,
  ports,
  families,
}: LoadBalancer): readonly Ingress[] {
  const reported = {
    ...(ipMode === undefined ? {} : { ipMode }),
    ...(ports === undefined ? {} : { ports }),
  };
  if (hostname !== undefined) return [{ hostname, ...(ports === undefined ? {} : { ports }) }];
  const places = { IPv4: address, IPv6: addressV6 ?? "" };
  return families
    .map((family) => places[family])
    .filter((ip) => ip !== "")
    .map((ip) => ({ ip, ...reported }));
}

/** Returns what a page shows; undefined if nothing of the owner exists. A rule left without its load balancer is shown as itself. */
export function factsOf(
  loadBalancer: LoadBalancer | undefined,
  { rules = [] }: Pick<ObservedLoadBalancer, "rules">,
): LoadBalancerFacts | undefined {
  if (loadBalancer === undefined) return rules[0] === undefined ? undefined : factsOfRule(rules[0]);
  const { id, name, internal, state, errorMessage, createdAt } = loadBalancer;
  return {
    id,
    name,
    type: internal ? "internal" : "network",
    addresses: placesOf(loadBalancer),
    state: errorMessage === undefined ? state : `${state}: ${errorMessage}`,
    createdAt: Date.parse(createdAt),
    ...classOf(loadBalancer),
    parts: rules.map((rule) => ({ kind: "firewall rule", id: rule.id })),
  };
}

function classOf(item: LoadBalancer | FirewallRule): Pick<LoadBalancerFacts, "loadBalancerClass"> {
  const loadBalancerClass = tagOf(item, TAGS.loadBalancerClass);
  return loadBalancerClass === undefined ? {} : { loadBalancerClass };
}

function factsOfRule(rule: FirewallRule): LoadBalancerFacts {
  const { id, name, createdAt } = rule;
  return {
    id,
    name,
    type: "firewall rule",
    addresses: [],
    state: "without a load balancer",
    createdAt: Date.parse(createdAt),
    ...classOf(rule),
    parts: [],
  };
}

/** Returns the members under the provider IDs of the Service's nodes; this cloud reports no health. */
export function membersOf(
  loadBalancer: LoadBalancer | undefined,
  spec: LoadBalancerSpec | undefined,
): LoadBalancerPlan["members"] {
  const known = new Map(
    (spec?.members ?? []).map(({ providerID }) => [memberIdOf(providerID), providerID]),
  );
  const ids = loadBalancer?.members ?? [];
  return Object.fromEntries(ids.map((id) => [known.get(id) ?? providerIDOf(id), {}]));
}
