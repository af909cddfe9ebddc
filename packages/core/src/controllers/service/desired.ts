import type { Service } from "../../kube/client.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type {
  BalancerAbilities,
  BalancerListener,
  BalancerMember,
  BalancerOwner,
  IpFamily,
  LoadBalancerSpec,
  Protocol,
} from "../../provider/load-balancers.ts";
import { annotationsOf } from "../object-meta.ts";
import { requestedAddressOf } from "./requested-address.ts";
import { isEverybody, sourceRangesOf } from "./source-ranges.ts";

export interface DesiredFacts {
  readonly owner: BalancerOwner;
  readonly members: readonly BalancerMember[];
  readonly abilities: BalancerAbilities;
  /** The provider's name. */
  readonly provider: string;
}

/** What a Service asks of the cloud, or why that cannot be had; told before any call is made. */
export type Desired =
  | { readonly kind: "spec"; readonly spec: LoadBalancerSpec }
  | {
      readonly kind: "refused";
      readonly reason: ReasonOf<"ServiceInvalid"> | ReasonOf<"ServiceUnsupported">;
    };

/** Normalises a Service (spec/60 §4, §8). Pure; equal wishes become equal values. */
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
  const lack = lackOf(spec, service, facts.abilities);
  if (lack === undefined) return { kind: "spec", spec };
  return {
    kind: "refused",
    reason: { code: "ServiceUnsupported", provider: facts.provider, ...lack },
  };
}

/** The Service's primary family first. Where a second one is only preferred, a cloud that has none of it does without. */
function familiesOf(service: Service, abilities: BalancerAbilities): readonly IpFamily[] {
  const { ipFamilies = [], ipFamilyPolicy } = service.spec ?? {};
  const asked = ipFamilies.filter(isFamily);
  const [primary = "IPv4", second] = asked;
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
  const listeners = listenersOf(service);
  return {
    owner,
    // Which annotation makes one internal is the provider's own to know.
    internal: false,
    listeners,
    members,
    ...parts,
    healthCheck: healthCheckOf(service, listeners),
    affinity: affinityOf(service),
    annotations: readByProvider(annotationsOf(service), abilities.annotationPrefixes),
  };
}

function listenersOf(service: Service): readonly BalancerListener[] {
  return (service.spec?.ports ?? []).map(({ name, protocol, port, nodePort, appProtocol }) => ({
    name: name ?? "",
    protocol: (protocol ?? "TCP") as Protocol,
    port,
    nodePort: nodePort ?? 0,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }));
}

/** A Local Service says on a port of its own which nodes have pods of it; else a listener that answers will do. */
function healthCheckOf(
  service: Service,
  listeners: readonly BalancerListener[],
): LoadBalancerSpec["healthCheck"] {
  const { externalTrafficPolicy, healthCheckNodePort = 0 } = service.spec ?? {};
  if (externalTrafficPolicy === "Local" && healthCheckNodePort !== 0) {
    return { protocol: "HTTP", port: healthCheckNodePort, path: "/healthz" };
  }
  const listener = listeners.find(({ protocol }) => protocol === "TCP") ?? listeners[0];
  return { protocol: "TCP", port: listener?.nodePort ?? 0 };
}

/** The API server's default. */
const AFFINITY_SECONDS = 10_800;

function affinityOf(service: Service): LoadBalancerSpec["affinity"] {
  const { sessionAffinity, sessionAffinityConfig } = service.spec ?? {};
  if (sessionAffinity !== "ClientIP") return { kind: "none" };
  const timeoutSeconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS;
  return { kind: "clientIP", timeoutSeconds };
}

/** Sorted, so that their order means nothing. */
function readByProvider(
  annotations: Readonly<Record<string, string>>,
  prefixes: readonly string[],
): Readonly<Record<string, string>> {
  const read = Object.entries(annotations)
    .filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(read);
}

interface Lack {
  readonly field: string;
  readonly problem: string;
}

type LackCheck = (
  spec: LoadBalancerSpec,
  abilities: BalancerAbilities,
  service: Service,
) => Lack | undefined;

/** The first thing that the cloud cannot do. */
function lackOf(
  spec: LoadBalancerSpec,
  service: Service,
  abilities: BalancerAbilities,
): Lack | undefined {
  for (const check of LACKS) {
    const lack = check(spec, abilities, service);
    if (lack !== undefined) return lack;
  }
  return undefined;
}

const LACKS: readonly LackCheck[] = [
  ({ listeners }, { protocols }) => {
    const other = listeners.filter(({ protocol }) => !protocols.includes(protocol));
    if (other.length === 0) return undefined;
    return { field: `port ${portsText(other)}`, problem: `it offers ${protocols.join(", ")}` };
  },
  ({ listeners }, { mixedProtocols }) => {
    const used = new Set(listeners.map(({ protocol }) => protocol));
    if (mixedProtocols || used.size < 2) return undefined;
    return {
      field: `ports ${portsText(listeners)}`,
      problem: "one load balancer of it listens with one protocol",
    };
  },
  ({ listeners }) => {
    const without = listeners.filter(({ nodePort }) => nodePort === 0);
    if (without.length === 0) return undefined;
    return {
      field: `port ${portsText(without)}`,
      problem: "it has no node port to send to, as allocateLoadBalancerNodePorts is false",
    };
  },
  ({ families }, abilities) => {
    const other = families.filter((family) => !abilities.families.includes(family));
    if (other.length === 0) return undefined;
    return {
      field: `ipFamilies ${other.join(", ")}`,
      problem: `it offers ${abilities.families.join(", ")}`,
    };
  },
  ({ affinity }, abilities) =>
    affinity.kind === "none" || abilities.affinity
      ? undefined
      : { field: "sessionAffinity ClientIP", problem: "it has no session affinity" },
  ({ sourceRanges, families }, abilities) =>
    abilities.sourceRanges || isEverybody(sourceRanges, families)
      ? undefined
      : { field: "source ranges", problem: "it lets everybody in" },
  ({ requestedAddress }, abilities) =>
    requestedAddress === undefined || abilities.requestedAddress
      ? undefined
      : { field: "loadBalancerIP", problem: "its addresses cannot be chosen" },
];

function portsText(listeners: readonly BalancerListener[]): string {
  return listeners.map(({ port, protocol }) => `${port}/${protocol}`).join(", ");
}
