import type { LoadBalancerNext, LoadBalancerSpec } from "@cloudwright/provider-api";
import type { LoadBalancer } from "./load-balancer.ts";

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

export type Wanted =
  | { readonly kind: "balancer"; readonly desired: DesiredLoadBalancer }
  | Extract<LoadBalancerNext, { kind: "elsewhere" | "unsupported" }>;

export const ANNOTATION_PREFIX = "sandbox.cloudwright.io/";

/** What a Service asks of the sandbox cloud, its annotations included (spec/70). */
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
