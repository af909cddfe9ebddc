import type {
  IpFamily,
  LoadBalancerNext,
  LoadBalancerNotice,
  LoadBalancerSpec,
} from "@cloudwright/provider-api";
import { ANNOTATION_PREFIX, type ProxyProtocol, readAnnotations } from "./annotations.ts";
import {
  chosenMembers,
  type DesiredFacts,
  type DesiredListener,
  forwardsFor,
  isOpen,
  leftOutRanges,
  listenerOf,
  rangesProblem,
  tlsRefOf,
} from "./desired-listener.ts";
import { type Features, featuresOf } from "./features.ts";
import { addressOf, type LoadBalancerConfig, type Placement, placementOf } from "./networks.ts";
import { loadBalancerName } from "./ownership.ts";

/** What a Service and its nodes need from Octavia and Neutron. */
export interface DesiredLoadBalancer {
  readonly name: string;
  readonly isInternal: boolean;
  /** The primary family first. */
  readonly families: readonly IpFamily[];
  readonly placement: Placement;
  readonly requestedAddress: string | undefined;
  readonly flavorId: string | undefined;
  readonly availabilityZone: string | undefined;
  readonly keepsFloatingIp: boolean;
  readonly hostname: string | undefined;
  readonly proxyProtocol: ProxyProtocol;
  readonly listeners: readonly DesiredListener[];
  /** The allowed sources if listeners cannot restrict them. */
  readonly sourceRanges: readonly string[];
  readonly healthCheckNodePort: number;
  readonly features: Features;
  readonly notices: readonly LoadBalancerNotice[];
}

export type Desired =
  | { readonly kind: "desired"; readonly desired: DesiredLoadBalancer }
  | Extract<LoadBalancerNext, { kind: "unsupported" }>;

/** Pure; equal specifications result in equal values. */
export function desiredOf(
  spec: LoadBalancerSpec,
  config: LoadBalancerConfig,
  { minor, provider }: { readonly minor: number; readonly provider: string },
): Desired {
  const read = readAnnotations(spec.annotations);
  const features = featuresOf({ minor, provider });
  const proxyProtocol = read.proxyProtocol();
  const facts: DesiredFacts = { spec, config, read, features, proxyProtocol, notices: [] };
  const placement = placementOf(read, config);
  if (placement.kind === "unsupported") return placement;
  const contradiction = contradictionIn(facts);
  if (contradiction !== undefined) return { kind: "unsupported", ...contradiction };
  const [family = "IPv4"] = spec.families;
  const listeners = spec.listeners.map((one, index) => listenerOf(facts, one, index));
  const creationOnly = creationFields(facts);
  const { loadBalancer } = config;
  const desired: DesiredLoadBalancer = {
    name: loadBalancerName(spec.owner),
    isInternal: loadBalancer.internalLb || read.isInternal() || family === "IPv6",
    families: spec.families,
    placement: placement.placement,
    requestedAddress: spec.requestedAddress,
    ...creationOnly,
    keepsFloatingIp: read.flag("keep-floatingip", false),
    hostname: read.text("hostname") || undefined,
    proxyProtocol,
    listeners,
    sourceRanges: spec.sourceRanges,
    healthCheckNodePort: spec.healthCheck.protocol === "HTTP" ? spec.healthCheck.port : 0,
    features,
    notices: [],
  };
  return {
    kind: "desired",
    desired: { ...desired, notices: [...uniqueOf(read.notices), ...noticesOf(facts, desired)] },
  };
}

/** An annotation is read for each listener, so its notice may repeat. */
function uniqueOf(notices: readonly LoadBalancerNotice[]): readonly LoadBalancerNotice[] {
  return [...new Map(notices.map((notice) => [notice.message, notice])).values()];
}

interface Problem {
  readonly field: string;
  readonly problem: string;
}

function contradictionIn(facts: DesiredFacts): Problem | undefined {
  const { spec, features } = facts;
  const problem = annotationProblem(facts);
  if (problem !== undefined) return problem;
  const sctp = spec.listeners.find(({ protocol }) => protocol === "SCTP");
  if (sctp !== undefined && !features.sctp)
    return {
      field: `port ${sctp.port}/SCTP`,
      problem: "this Octavia does not support SCTP (it needs 2.23 or later)",
    };
  const ranges = features.allowedCidrs ? rangesProblem(spec) : undefined;
  if (ranges !== undefined) return { field: "loadBalancerSourceRanges", problem: ranges };
  if (spec.families.length < 2 || features.additionalVips) return undefined;
  return {
    field: `ipFamilies ${spec.families.join(", ")}`,
    problem:
      "this Octavia supports only one address family per load balancer (a second needs 2.26 or later)",
  };
}

function annotationProblem(facts: DesiredFacts): Problem | undefined {
  const { read, features, proxyProtocol } = facts;
  const forwards = forwardsFor(read);
  if (forwards && proxyProtocol !== "none")
    return {
      field: `annotation ${ANNOTATION_PREFIX}x-forwarded-for`,
      problem: "it cannot be combined with proxy-protocol; remove one of them",
    };
  const asked: readonly (readonly [name: string, isMet: boolean, what: string])[] = [
    ...(forwards ? [["x-forwarded-for", features.layer7, "HTTP listeners"] as const] : []),
    ...PROXIES[proxyProtocol].map(
      (feature) => ["proxy-protocol", features[feature], "that PROXY protocol"] as const,
    ),
    ...(tlsRefOf(facts) === ""
      ? []
      : [["default-tls-container-ref", features.layer7, "TLS"] as const]),
  ];
  const unmet = asked.find(([, isMet]) => !isMet);
  if (unmet === undefined) return undefined;
  const [name, , what] = unmet;
  return {
    field: `annotation ${ANNOTATION_PREFIX}${name}`,
    problem: `this Octavia and its provider do not offer ${what}`,
  };
}

const PROXIES = { none: [], v1: ["proxyV1"], v2: ["proxyV2"] } as const;

function creationFields({ read, config, features, notices }: DesiredFacts) {
  const { loadBalancer } = config;
  const flavorId = read.text("flavor-id") ?? loadBalancer.flavorId ?? "";
  const zone = read.text("availability-zone") ?? loadBalancer.availabilityZone ?? "";
  if (zone !== "" && !features.availabilityZones)
    notices.push({
      type: "Warning",
      reason: "LoadBalancerAvailabilityZonesIgnored",
      message: `The availability zone ${zone} is ignored: this Octavia and its provider have none for load balancers.`,
    });
  return {
    flavorId: given(flavorId, features.flavors),
    availabilityZone: given(zone, features.availabilityZones),
  };
}

function given(value: string, isOffered: boolean): string | undefined {
  return isOffered && value !== "" ? value : undefined;
}

function noticesOf(
  facts: DesiredFacts,
  desired: DesiredLoadBalancer,
): readonly LoadBalancerNotice[] {
  return [...membersLeftOut(facts), ...rangeNotices(facts, desired)];
}

/** The maximum number of nodes that an Event names. */
const MOST_NAMED = 5;

/** The other nodes serve: one unreachable node does not stop the Service (spec/providers/pains 29). */
function membersLeftOut(facts: DesiredFacts): readonly LoadBalancerNotice[] {
  const [family = "IPv4"] = facts.spec.families;
  const names = chosenMembers(facts)
    .filter((member) => addressOf(member, family) === undefined)
    .map(({ nodeName }) => nodeName);
  if (names.length === 0) return [];
  const more = names.length - MOST_NAMED;
  const named = names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return [
    {
      type: "Warning",
      reason: "LoadBalancerMembersSkipped",
      message: `Without an ${family} address no traffic is sent to ${named}: correct the addresses of ${names.length === 1 ? "this Node" : "these Nodes"}.`,
    },
  ];
}

function rangeNotices(
  { spec, notices, features, config }: DesiredFacts,
  { sourceRanges }: DesiredLoadBalancer,
): readonly LoadBalancerNotice[] {
  const isCarriedByGroup = !features.layer7 && config.loadBalancer.manageSecurityGroups;
  if (isOpen(spec) || isCarriedByGroup) return notices;
  if (!features.allowedCidrs)
    return [
      ...notices,
      rangesIgnored(
        `The source ranges ${sourceRanges.join(", ")} are ignored and everybody is let in: this Octavia and its provider have no access lists.`,
      ),
    ];
  const leftOut = leftOutRanges(spec);
  if (leftOut.length === 0) return notices;
  const message = `The source ranges ${leftOut.join(", ")} are left out: Octavia takes only those of the family of the load balancer's first address.`;
  return [...notices, rangesIgnored(message)];
}

function rangesIgnored(message: string): LoadBalancerNotice {
  return { type: "Warning", reason: "LoadBalancerSourceRangesIgnored", message };
}
