import { isDeepStrictEqual } from "node:util";
import type {
  Json,
  LoadBalancerAspect,
  LoadBalancerNext,
  LoadBalancerSpec,
} from "@cloudwright/provider-api";
import { type FirewallRule, isRestricted, type LoadBalancer } from "./load-balancer.ts";
import { memberDifference, sameMembers } from "./provider-id.ts";

/** The fields of a load balancer that are compared and written; its members are provider IDs here. */
export interface DesiredLoadBalancer {
  readonly listeners: LoadBalancer["listeners"];
  readonly members: readonly string[];
  readonly sourceRanges: readonly string[];
  readonly healthCheck: LoadBalancer["healthCheck"];
  readonly proxyProtocol: boolean;
  readonly internal: boolean;
  readonly affinity: LoadBalancer["affinity"];
  readonly families: LoadBalancer["families"];
  readonly requestedAddress: string | undefined;
}

type Wanted =
  | { readonly kind: "balancer"; readonly desired: DesiredLoadBalancer }
  | Extract<LoadBalancerNext, { kind: "elsewhere" | "unsupported" }>;

export const ANNOTATION_PREFIX = "sandbox.cloudwright.io/";

/** Returns what a Service asks of the sandbox cloud, including its annotations (spec/70). */
export function wantedOf(spec: LoadBalancerSpec): Wanted {
  const elsewhere = annotation(spec, "implemented-elsewhere");
  const internal = annotation(spec, "internal");
  const proxyProtocol = annotation(spec, "proxy-protocol");
  for (const value of [elsewhere, internal, proxyProtocol]) {
    if (typeof value === "object") return value;
  }
  if (elsewhere === true) return { kind: "elsewhere" };
  const listeners = listenersOf(spec);
  if (listeners === undefined) {
    return { kind: "unsupported", field: "protocol", problem: "SCTP is not supported" };
  }
  const desired = {
    listeners,
    members: spec.members.map(({ providerID }) => providerID),
    sourceRanges: spec.sourceRanges,
    healthCheck: spec.healthCheck,
    proxyProtocol: proxyProtocol === true,
    internal: spec.internal || internal === true,
    affinity: spec.affinity,
    families: [...spec.families],
    requestedAddress: spec.requestedAddress,
  };
  return { kind: "balancer", desired };
}

type Unsupported = Extract<LoadBalancerNext, { kind: "unsupported" }>;

function annotation({ annotations }: LoadBalancerSpec, name: string): boolean | Unsupported {
  const key = `${ANNOTATION_PREFIX}${name}`;
  const value = annotations[key] ?? "false";
  if (value === "true" || value === "false") return value === "true";
  const problem = `"${value.slice(0, 64)}" is neither true nor false`;
  return { kind: "unsupported", field: `annotation ${key}`, problem };
}

function listenersOf({ listeners }: LoadBalancerSpec): LoadBalancer["listeners"] | undefined {
  const offered: LoadBalancer["listeners"] = [];
  for (const { name, protocol, port, nodePort } of listeners) {
    if (protocol === "SCTP") return undefined;
    offered.push({ name, protocol, port, nodePort });
  }
  return offered;
}

export type LoadBalancerField = keyof DesiredLoadBalancer;

/** The fields that can be edited; the cloud fixes `internal` when the load balancer is created. */
export const WRITABLE: readonly Exclude<LoadBalancerField, "internal">[] = [
  "listeners",
  "members",
  "sourceRanges",
  "healthCheck",
  "proxyProtocol",
  "affinity",
  "families",
  "requestedAddress",
];

/** Returns the writable fields in which the cloud's load balancer differs from the desired one. */
export function differingFields(
  loadBalancer: LoadBalancer,
  desired: DesiredLoadBalancer,
): readonly LoadBalancerField[] {
  return WRITABLE.filter((field) => !isAlike(field, loadBalancer, desired));
}

/** Describes the listeners and members that it would lose if it were made as desired. */
export function othersOn(
  loadBalancer: LoadBalancer,
  desired: DesiredLoadBalancer,
): readonly string[] {
  const ports = new Set(desired.listeners.map(portText));
  const { removed } = memberDifference(loadBalancer.members, desired.members);
  return [
    ...loadBalancer.listeners
      .map(portText)
      .filter((port) => !ports.has(port))
      .map((port) => `listener ${port}`),
    ...removed.map((id) => `member ${id}`),
  ];
}

function portText({ port, protocol }: LoadBalancer["listeners"][number]): string {
  return `${port}/${protocol}`;
}

function isAlike(
  field: LoadBalancerField,
  loadBalancer: LoadBalancer,
  desired: DesiredLoadBalancer,
): boolean {
  if (field === "members") return sameMembers(loadBalancer.members, desired.members);
  if (field === "sourceRanges") return sameSet(loadBalancer.sourceRanges, desired.sourceRanges);
  return isDeepStrictEqual(jsonOf(loadBalancer[field]), jsonOf(desired[field]));
}

export function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return listed(left) === listed(right);
}

/** Joins texts in an order that does not depend on how they were given. */
function listed(texts: readonly string[]): string {
  return [...texts].sort((left, right) => left.localeCompare(right)).join(", ");
}

/** Describes desired beside actual; the members are listed separately. */
export function aspectsOf(
  desired: DesiredLoadBalancer | undefined,
  loadBalancer: LoadBalancer | undefined,
  rules: readonly FirewallRule[] | undefined,
): readonly LoadBalancerAspect[] {
  const wanted = desired === undefined ? undefined : words(desired);
  const actual = loadBalancer === undefined ? undefined : words(loadBalancer);
  const names = new Set([...(wanted?.keys() ?? []), ...(actual?.keys() ?? [])]);
  const aspects = [...names].map((name) => aspect(name, wanted?.get(name), actual?.get(name)));
  return [...aspects, ...ruleAspects(desired, rules)];
}

function words(of: DesiredLoadBalancer | LoadBalancer): ReadonlyMap<string, string> {
  const { listeners, sourceRanges, healthCheck, affinity, families } = of;
  return new Map([
    ...listeners.map((listener): [string, string] => [
      `listener ${portText(listener)}`,
      `to node port ${listener.nodePort}${listener.name === "" ? "" : `, named ${listener.name}`}`,
    ]),
    ["source ranges", listed(sourceRanges) || "everybody"],
    ["health check", healthCheckText(healthCheck)],
    ["affinity", affinity.kind === "none" ? "none" : `client IP for ${affinity.timeoutSeconds} s`],
    ["families", families.join(", ")],
    ["reach", of.internal ? "internal" : "external"],
    ["proxy protocol", of.proxyProtocol ? "on" : "off"],
    ...(of.requestedAddress === undefined
      ? []
      : ([["requested address", of.requestedAddress]] satisfies [string, string][])),
  ]);
}

function healthCheckText({ protocol, port, path }: LoadBalancer["healthCheck"]): string {
  return `${protocol} ${port ?? "of the first listener"}${path ?? ""}`;
}

function ruleAspects(
  desired: DesiredLoadBalancer | undefined,
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
