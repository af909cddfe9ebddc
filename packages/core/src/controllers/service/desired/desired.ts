import {
  EVERYBODY,
  type IpFamily,
  type LoadBalancerAbilities,
  type LoadBalancerListener,
  type LoadBalancerMember,
  type LoadBalancerOwner,
  type LoadBalancerSpec,
  type Protocol,
  unmetDemand,
} from "@cloudwright/provider-api";
import type { Service } from "../../../kube/client.ts";
import type { ReasonOf } from "../../../model/reason.ts";
import { phrased } from "../../../model/reasons/phrases.ts";
import { formatCidr, parseAddress, parseCidr } from "../../../model/values/cidr.ts";
import { annotationOf } from "../../objects/object-meta.ts";
import { readByProvider, SOURCE_RANGES_ANNOTATION } from "../service-object.ts";

export interface DesiredFacts {
  readonly owner: LoadBalancerOwner;
  readonly members: readonly LoadBalancerMember[];
  readonly abilities: LoadBalancerAbilities;
  /** The provider's name. */
  readonly provider: string;
}

/** What a Service asks of the cloud, or why it cannot have that, which is reported before any call is made. */
export type Desired =
  | { readonly kind: "spec"; readonly spec: LoadBalancerSpec }
  | {
      readonly kind: "refused";
      readonly reason: ReasonOf<"ServiceInvalid"> | ReasonOf<"ServiceUnsupported">;
    };

/** Normalises a Service (spec/60 §4, §8). Pure; equal requests give equal values. */
export function desiredOf(service: Service, facts: DesiredFacts): Desired {
  const families = familiesOf(service, facts.abilities);
  const ranges = sourceRangesOf(service, families);
  if (ranges.kind === "invalid") return { kind: "refused", reason: ranges.reason };
  const requested = requestedAddressOf(service, families);
  if (requested.kind === "invalid") return { kind: "refused", reason: requested.reason };
  const spec = specOf(service, facts, {
    families,
    sourceRanges: ranges.ranges,
    ...(requested.kind === "none" ? {} : { requestedAddress: requested.address }),
  });
  const unmet = unmetDemand(spec, facts.abilities);
  if (unmet === undefined) return { kind: "spec", spec };
  return {
    kind: "refused",
    reason: { code: "ServiceUnsupported", provider: facts.provider, ...unmet },
  };
}

/** Returns the Service's primary family first. If a second one is only preferred, a cloud without it does without. */
function familiesOf(service: Service, abilities: LoadBalancerAbilities): readonly IpFamily[] {
  const { ipFamilies = [], ipFamilyPolicy } = service.spec ?? {};
  const requested = ipFamilies.filter(isFamily);
  const [primary = "IPv4", second] = requested;
  if (second === undefined) return [primary];
  const isWaived = ipFamilyPolicy === "PreferDualStack" && !abilities.families.includes(second);
  return isWaived ? [primary] : [primary, second];
}

function isFamily(family: string): family is IpFamily {
  return family === "IPv4" || family === "IPv6";
}

function specOf(
  service: Service,
  { owner, members, abilities }: DesiredFacts,
  parts: Pick<LoadBalancerSpec, "families" | "sourceRanges" | "requestedAddress">,
): LoadBalancerSpec {
  const reachesPods = wantsPods(service) && abilities.podTargets === true;
  const listeners = listenersOf(service, reachesPods);
  return {
    owner,
    // Only the provider knows which annotation makes a load balancer internal.
    internal: false,
    listeners,
    ...(reachesPods ? { targets: "pods" as const } : {}),
    members,
    ...parts,
    healthCheck: healthCheckOf(service, listeners),
    affinity: affinityOf(service),
    annotations: readByProvider(service, abilities.annotationPrefixes),
  };
}

function wantsPods({ spec }: Service): boolean {
  return spec?.allocateLoadBalancerNodePorts === false;
}

/** The pods' port is passed on only if it is the target: otherwise a change of it does not concern the cloud. */
function listenersOf(service: Service, reachesPods: boolean): readonly LoadBalancerListener[] {
  return (service.spec?.ports ?? []).map((one) => ({
    name: one.name ?? "",
    protocol: (one.protocol ?? "TCP") as Protocol,
    port: one.port,
    nodePort: one.nodePort ?? 0,
    ...(reachesPods ? { targetPort: targetPortOf(one) } : {}),
    ...(one.appProtocol === undefined ? {} : { appProtocol: one.appProtocol }),
  }));
}

type ServicePort = NonNullable<NonNullable<Service["spec"]>["ports"]>[number];

/** The API server's default is the port itself. */
function targetPortOf({ targetPort, port }: ServicePort): number | string {
  return targetPort ?? port;
}

/**
 * A Local Service reports on a port of its own which nodes have its pods; otherwise a listener that answers is
 * enough.
 */
function healthCheckOf(
  service: Service,
  listeners: readonly LoadBalancerListener[],
): LoadBalancerSpec["healthCheck"] {
  const { externalTrafficPolicy, healthCheckNodePort = 0 } = service.spec ?? {};
  if (externalTrafficPolicy === "Local" && healthCheckNodePort !== 0) {
    return { protocol: "HTTP", port: healthCheckNodePort, path: "/healthz" };
  }
  const listener = listeners.find(({ protocol }) => protocol === "TCP") ?? listeners[0];
  return { protocol: "TCP", port: checkedPort(listener) };
}

function checkedPort(listener: LoadBalancerListener | undefined): number {
  const { targetPort, nodePort = 0 } = listener ?? {};
  if (targetPort === undefined) return nodePort;
  return typeof targetPort === "number" ? targetPort : 0;
}

/** The API server's default. */
const AFFINITY_SECONDS = 10_800;

function affinityOf(service: Service): LoadBalancerSpec["affinity"] {
  const { sessionAffinity, sessionAffinityConfig } = service.spec ?? {};
  if (sessionAffinity !== "ClientIP") return { kind: "none" };
  const timeoutSeconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS;
  return { kind: "clientIP", timeoutSeconds };
}

export type RequestedAddress =
  | { readonly kind: "none" }
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "invalid"; readonly reason: ReasonOf<"ServiceInvalid"> };

/**
 * Returns the address that a Service requests, in canonical spelling. Anything that is not an address, or of another
 * family, cannot be given.
 */
function requestedAddressOf({ spec }: Service, families: readonly IpFamily[]): RequestedAddress {
  const value = spec?.loadBalancerIP ?? "";
  if (value === "") return { kind: "none" };
  const parsed = parseAddress(value);
  if (parsed === undefined) return invalid(value, phrased("problem", "noAddress"));
  const { family, text: address } = parsed;
  if (families.includes(family)) return { kind: "address", address };
  return invalid(value, phrased("problem", "otherFamily", family, families.join(", ")));
}

function invalid(
  value: string,
  problem: Pick<ReasonOf<"ServiceInvalid">, "problem" | "phrase">,
): RequestedAddress {
  const reason = { code: "ServiceInvalid", field: "loadBalancerIP", value, ...problem } as const;
  return { kind: "invalid", reason };
}

export type SourceRanges =
  | { readonly kind: "ranges"; readonly ranges: readonly string[] }
  | { readonly kind: "invalid"; readonly reason: ReasonOf<"ServiceInvalid"> };

/**
 * Returns who may connect: the field, else the annotation, else everybody in the load balancer's families (spec/60
 * §4).
 */
function sourceRangesOf(service: Service, families: readonly IpFamily[]): SourceRanges {
  const { field, entries } = given(service);
  if (entries.length === 0) {
    return { kind: "ranges", ranges: sorted(families.map((family) => EVERYBODY[family])) };
  }
  const ranges = new Set<string>();
  for (const value of entries) {
    const range = parseCidr(value);
    if (range === undefined) {
      const problem = phrased("problem", "noSourceRange", "10.0.0.0/8");
      return { kind: "invalid", reason: { code: "ServiceInvalid", field, value, ...problem } };
    }
    ranges.add(formatCidr(range));
  }
  return { kind: "ranges", ranges: sorted([...ranges]) };
}

function sorted(ranges: readonly string[]): readonly string[] {
  return [...ranges].sort((left, right) => (left < right ? -1 : 1));
}

function given(service: Service): { readonly field: string; readonly entries: readonly string[] } {
  const inField = service.spec?.loadBalancerSourceRanges ?? [];
  if (inField.length > 0) {
    return { field: "loadBalancerSourceRanges", entries: inField.map((entry) => entry.trim()) };
  }
  const annotation = (annotationOf(service, SOURCE_RANGES_ANNOTATION) ?? "").trim();
  const entries = annotation === "" ? [] : annotation.split(",").map((entry) => entry.trim());
  return { field: `annotation ${SOURCE_RANGES_ANNOTATION}`, entries };
}
