import type {
  IpFamily,
  LoadBalancerAbilities,
  LoadBalancerListener,
  LoadBalancerSpec,
} from "./load-balancers.ts";

/** Something that a Service asks for and the cloud cannot do, and why. */
export interface UnmetDemand {
  /** `port 53/SCTP`, `sessionAffinity ClientIP`. */
  readonly field: string;
  readonly problem: string;
}

/** Returns the first demand of a spec that the provider's abilities do not meet. Such a Service is refused before any call to the cloud. */
export function unmetDemand(
  spec: LoadBalancerSpec,
  abilities: LoadBalancerAbilities,
): UnmetDemand | undefined {
  for (const check of CHECKS) {
    const unmet = check(spec, abilities);
    if (unmet !== undefined) return unmet;
  }
  return undefined;
}

/** The source ranges that allow everybody. */
export const EVERYBODY: Readonly<Record<IpFamily, string>> = { IPv4: "0.0.0.0/0", IPv6: "::/0" };

type Check = (spec: LoadBalancerSpec, abilities: LoadBalancerAbilities) => UnmetDemand | undefined;

const CHECKS: readonly Check[] = [
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
  ({ listeners, targets }, { podTargets = false, withoutNodePorts = false }) => {
    if (withoutNodePorts || (targets === "pods" && podTargets)) return undefined;
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
      : { field: "source ranges", problem: "it cannot restrict source ranges" },
  ({ requestedAddress }, abilities) =>
    requestedAddress === undefined || abilities.requestedAddress
      ? undefined
      : { field: "loadBalancerIP", problem: "it cannot assign a requested address" },
];

function portsText(listeners: readonly LoadBalancerListener[]): string {
  return listeners.map(({ port, protocol }) => `${port}/${protocol}`).join(", ");
}

/** Reports whether the ranges allow everybody: the IPv4 one does, whatever else is listed; the IPv6 one only without IPv4. */
function isEverybody(ranges: readonly string[], families: readonly IpFamily[]): boolean {
  if (ranges.includes(EVERYBODY.IPv4)) return true;
  return ranges.includes(EVERYBODY.IPv6) && !families.includes("IPv4");
}
