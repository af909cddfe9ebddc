import {
  ADDRESS_BITS,
  type AddressFamily,
  type Cidr,
  formatCidr,
  parseCidr,
} from "../../model/values/cidr.ts";
import type { ClusterRange } from "./block-pool.ts";

/** The flags of spec/40 §9. */
export interface PodRangeFlags {
  readonly "cluster-cidr": readonly string[];
  readonly "service-cluster-ip-range": readonly string[];
  readonly "cidr-allocator-type": string;
  /** In this and the next two, 0 means not given. */
  readonly "node-cidr-mask-size": number;
  readonly "node-cidr-mask-size-ipv4": number;
  readonly "node-cidr-mask-size-ipv6": number;
}

/** The sources of nodes' pod ranges. */
export interface PodRanges {
  /** In the order of `--cluster-cidr`. */
  readonly ranges: readonly ClusterRange[];
  readonly serviceRanges: readonly Cidr[];
  /** Entries of `--service-cluster-ip-range` that are not ranges: upstream ignores them, too. */
  readonly ignored: readonly string[];
}

/** Returns the meaning of the flags of spec/40 §9, which must have no `podRangeProblems`. */
export function podRangesOf(flags: PodRangeFlags): PodRanges {
  const services = flags["service-cluster-ip-range"];
  return {
    ranges: clusterRanges(flags).map((cidr) => ({ cidr, nodeMask: nodeMaskOf(flags, cidr) })),
    serviceRanges: services.flatMap((text) => parseCidr(text) ?? []),
    ignored: services.filter((text) => parseCidr(text) === undefined),
  };
}

/** Returns one sentence for each way in which the flags prevent pod ranges. */
export function podRangeProblems(flags: PodRangeFlags): readonly string[] {
  return [
    ...allocatorProblems(flags),
    ...(flags["cluster-cidr"].length === 0 ? [NO_RANGE] : []),
    ...allMaskProblems(flags),
  ];
}

const NO_RANGE =
  "--cluster-cidr is not set, but --allocate-node-cidrs needs it: give one such as 10.244.0.0/16, or remove --allocate-node-cidrs.";

function allocatorProblems({ "cidr-allocator-type": type }: PodRangeFlags): readonly string[] {
  if (type === "RangeAllocator") return [];
  return [
    `--cidr-allocator-type is ${type}: pod ranges can only come from --cluster-cidr, not from a cloud; remove the flag, or give RangeAllocator.`,
  ];
}

/** Masks are checked only against valid ranges; invalid ranges are reported elsewhere. */
function allMaskProblems(flags: PodRangeFlags): readonly string[] {
  const ranges = clusterRanges(flags);
  const [first, second] = ranges;
  if (first === undefined || ranges.length !== flags["cluster-cidr"].length) return [];
  return [
    ...(second === undefined ? singleStackProblems(flags, first) : dualStackProblems(flags)),
    ...ranges.flatMap((range) => maskProblems(flags, range)),
  ];
}

/** In the flag's order; entries that are not ranges are reported elsewhere. */
function clusterRanges(flags: PodRangeFlags): readonly Cidr[] {
  return flags["cluster-cidr"].flatMap((text) => parseCidr(text) ?? []);
}

const FAMILY_FLAGS = {
  IPv4: "node-cidr-mask-size-ipv4",
  IPv6: "node-cidr-mask-size-ipv6",
} as const satisfies Record<AddressFamily, keyof PodRangeFlags>;
const OTHER_FAMILY = { IPv4: "IPv6", IPv6: "IPv4" } as const;
const DEFAULT_MASK = { IPv4: 24, IPv6: 64 } as const;

function dualStackProblems(flags: PodRangeFlags): readonly string[] {
  const mask = flags["node-cidr-mask-size"];
  if (mask === 0) return [];
  return [
    `--node-cidr-mask-size is ${mask}, and --cluster-cidr has two ranges: give --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 instead.`,
  ];
}

function singleStackProblems(flags: PodRangeFlags, { family }: Cidr): readonly string[] {
  const problems: string[] = [];
  const own = FAMILY_FLAGS[family];
  const other = FAMILY_FLAGS[OTHER_FAMILY[family]];
  if (flags[other] !== 0) {
    problems.push(
      `--${other} is ${flags[other]}, and --cluster-cidr is an ${family} range: remove the flag.`,
    );
  }
  if (flags["node-cidr-mask-size"] !== 0 && flags[own] !== 0) {
    problems.push(`--node-cidr-mask-size and --${own} are both given: give one of them.`);
  }
  return problems;
}

/** Zero means that the flag was not given. */
function nodeMaskOf(flags: PodRangeFlags, { family }: Cidr): number {
  const isAlone = clusterRanges(flags).length === 1;
  const shared = isAlone ? flags["node-cidr-mask-size"] : 0;
  return flags[FAMILY_FLAGS[family]] || shared || DEFAULT_MASK[family];
}

/** Upstream does not track more bits than this. */
const MOST_IPV6_BITS = 16;

function maskProblems(flags: PodRangeFlags, range: Cidr): readonly string[] {
  const mask = nodeMaskOf(flags, range);
  const { family, bits } = range;
  const name = `--cluster-cidr has ${formatCidr(range)}, from which each node would get a /${mask}`;
  if (mask > ADDRESS_BITS[family]) {
    return [`${name}: an ${family} mask has at most ${ADDRESS_BITS[family]} bits.`];
  }
  if (mask < bits) return [`${name}: the range is too small, give a larger one or a longer mask.`];
  if (family === "IPv6" && mask - bits > MOST_IPV6_BITS) {
    return [
      `${name}: there may be at most ${MOST_IPV6_BITS} bits between the two, give a /${mask - MOST_IPV6_BITS} or a shorter mask for nodes.`,
    ];
  }
  return [];
}
