import { isDeepStrictEqual } from "node:util";
import type { Json, LoadBalancerAspect } from "@cloudwright/provider-api";
import type { DesiredBalancer } from "./desired-balancer.ts";
import { type Balancer, type FirewallRule, isRestricted } from "./load-balancer.ts";
import { memberDifference, sameMembers } from "./member-ids.ts";

export type BalancerField = keyof DesiredBalancer;

/** Those that an edit can write; the cloud fixes `internal` when the balancer is made. */
export const WRITABLE: readonly Exclude<BalancerField, "internal">[] = [
  "listeners",
  "members",
  "sourceRanges",
  "healthCheck",
  "proxyProtocol",
  "affinity",
  "families",
  "requestedAddress",
];

/** The writable fields in which the cloud's balancer is not as it should be. */
export function differingFields(
  balancer: Balancer,
  desired: DesiredBalancer,
): readonly BalancerField[] {
  return WRITABLE.filter((field) => !isAlike(field, balancer, desired));
}

/** The listeners and members that it would lose if it were made what is desired, in words. */
export function othersOn(balancer: Balancer, desired: DesiredBalancer): readonly string[] {
  const ports = new Set(desired.listeners.map(portText));
  const { removed } = memberDifference(balancer.members, desired.members);
  return [
    ...balancer.listeners
      .map(portText)
      .filter((port) => !ports.has(port))
      .map((port) => `listener ${port}`),
    ...removed.map((id) => `member ${id}`),
  ];
}

function portText({ port, protocol }: Balancer["listeners"][number]): string {
  return `${port}/${protocol}`;
}

function isAlike(field: BalancerField, balancer: Balancer, desired: DesiredBalancer): boolean {
  if (field === "members") return sameMembers(balancer.members, desired.members);
  if (field === "sourceRanges") return sameSet(balancer.sourceRanges, desired.sourceRanges);
  return isDeepStrictEqual(jsonOf(balancer[field]), jsonOf(desired[field]));
}

export function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return listed(left) === listed(right);
}

/** In an order that does not depend on how they were given. */
function listed(texts: readonly string[]): string {
  return [...texts].sort((left, right) => left.localeCompare(right)).join(", ");
}

/** Desired beside actual, in words; the members are told apart. */
export function aspectsOf(
  desired: DesiredBalancer | undefined,
  balancer: Balancer | undefined,
  rules: readonly FirewallRule[] | undefined,
): readonly LoadBalancerAspect[] {
  const wanted = desired === undefined ? undefined : words(desired);
  const actual = balancer === undefined ? undefined : words(balancer);
  const names = new Set([...(wanted?.keys() ?? []), ...(actual?.keys() ?? [])]);
  const aspects = [...names].map((name) => aspect(name, wanted?.get(name), actual?.get(name)));
  return [...aspects, ...ruleAspects(desired, rules)];
}

function words(of: DesiredBalancer | Balancer): ReadonlyMap<string, string> {
  const { listeners, sourceRanges, healthCheck, affinity, families } = of;
  return new Map([
    ...listeners.map((listener): [string, string] => [
      `listener ${portText(listener)}`,
      `to node port ${listener.nodePort}${listener.name === "" ? "" : `, named ${listener.name}`}`,
    ]),
    ["source ranges", listed(sourceRanges) || "everybody"],
    ["health check", healthCheckWords(healthCheck)],
    ["affinity", affinity.kind === "none" ? "none" : `client IP for ${affinity.timeoutSeconds} s`],
    ["families", families.join(", ")],
    ["reach", of.internal ? "internal" : "external"],
    ["proxy protocol", of.proxyProtocol ? "on" : "off"],
    ...(of.requestedAddress === undefined
      ? []
      : ([["requested address", of.requestedAddress]] satisfies [string, string][])),
  ]);
}

function healthCheckWords({ protocol, port, path }: Balancer["healthCheck"]): string {
  return `${protocol} ${port ?? "of the first listener"}${path ?? ""}`;
}

function ruleAspects(
  desired: DesiredBalancer | undefined,
  rules: readonly FirewallRule[] | undefined,
): readonly LoadBalancerAspect[] {
  const isWanted = desired !== undefined && isRestricted(desired);
  const wanted = isWanted ? listed(desired.sourceRanges) : undefined;
  const actual = (rules ?? []).map(({ sourceRanges }) => listed(sourceRanges));
  if (wanted === undefined && actual.length === 0) return [];
  return [aspect("firewall rule", wanted, actual.length === 0 ? undefined : actual.join("; "))];
}

function aspect(name: string, desired?: string, actual?: string): LoadBalancerAspect {
  return {
    name,
    ...(desired === undefined ? {} : { desired }),
    ...(actual === undefined ? {} : { actual }),
  };
}

function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
