import { podCidrsOf } from "@cloudwright/core/controllers/objects/pod-cidrs";
import type { Node } from "@cloudwright/core/kube/client";
import { capitalise } from "@cloudwright/core/model/sentence";
import {
  ADDRESS_BITS,
  type Cidr,
  contains,
  formatCidr,
  overlaps,
  parseAddress,
  parseCidr,
} from "@cloudwright/core/model/values/cidr";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { type Judged, ok, problem, someOf, warning } from "./finding.ts";

export interface RangesToJudge {
  readonly flags: Pick<FlagValues, "cluster-cidr" | "service-cluster-ip-range">;
  readonly nodes: readonly Node[];
  /** The ranges of the API's ServiceCIDR objects, which some clusters are too old to have. */
  readonly serviceRanges: readonly string[];
}

interface Named {
  readonly what: string;
  readonly cidr: Cidr;
}

/** Finds overlapping ranges of pods, Services and machines, where an address could belong to two of them. */
export function judgeRanges({ flags, nodes, serviceRanges }: RangesToJudge): Judged[] {
  const cluster = named(flags["cluster-cidr"], () => "--cluster-cidr");
  const services = distinct([
    ...named(flags["service-cluster-ip-range"], () => "--service-cluster-ip-range"),
    ...named(serviceRanges, () => "the cluster's Service range"),
  ]);
  const ofNodes = nodes.flatMap((node) =>
    named(podCidrsOf(node), () => `the pod range of ${nameOf(node)}`),
  );
  const machines = nodes.flatMap(machineAddresses);
  const found = [
    ...clashes(cluster, services),
    ...clashes(ofNodes, services),
    ...amongThemselves(ofNodes),
    ...clashes(cluster.length > 0 ? cluster : ofNodes, machines),
    ...outside(ofNodes, cluster),
  ];
  if (found.length > 0) return found;
  const count = ofNodes.length;
  return [
    ok(
      count === 0
        ? "No node has a pod range yet, and the ranges of the flags do not overlap."
        : `${count === 1 ? "The pod range overlaps" : `The ${count} pod ranges overlap`} neither another range nor a machine.`,
    ),
  ];
}

function clashes(left: readonly Named[], right: readonly Named[]): Judged[] {
  const pairs = left.flatMap((one) =>
    right.filter(({ cidr }) => overlaps(one.cidr, cidr)).map((other) => [one, other] as const),
  );
  return pairs.slice(0, MOST_SHOWN).map(([one, other]) => overlap(one, other));
}

/** Compares ranges sorted by their first address, so that each is compared only with its neighbours. */
function amongThemselves(ranges: readonly Named[]): Judged[] {
  const found: Judged[] = [];
  const open = new Map<string, Named>();
  const sorted = ranges.toSorted((one, other) => (one.cidr.first < other.cidr.first ? -1 : 1));
  for (const one of sorted) {
    const before = open.get(one.cidr.family);
    if (before !== undefined && overlaps(before.cidr, one.cidr)) found.push(overlap(before, one));
    if (before === undefined || !contains(before.cidr, one.cidr)) open.set(one.cidr.family, one);
  }
  return found.slice(0, MOST_SHOWN);
}

const MOST_SHOWN = 5;

function overlap(one: Named, other: Named): Judged {
  return problem(
    `${capitalise(one.what)} ${formatCidr(one.cidr)} overlaps ${other.what} ${formatCidr(other.cidr)}: traffic to addresses in both goes astray.`,
    "Choose ranges that do not overlap; a node's range is changed by deleting its Node object and letting the kubelet register it again.",
  );
}

function outside(ofNodes: readonly Named[], cluster: readonly Named[]): Judged[] {
  const strays = ofNodes.filter(
    ({ cidr }) =>
      cluster.some((whole) => whole.cidr.family === cidr.family) &&
      !cluster.some((whole) => contains(whole.cidr, cidr)),
  );
  if (strays.length === 0) return [];
  return [
    warning(
      `${capitalise(someOf(strays.map(({ what, cidr }) => `${what} ${formatCidr(cidr)}`)))} is not within --cluster-cidr.`,
      "Such a node gets no route: give --cluster-cidr the range that its allocator uses.",
    ),
  ];
}

function named(texts: readonly string[], what: () => string): Named[] {
  return texts.flatMap((text) => {
    const cidr = parseCidr(text);
    return cidr === undefined ? [] : [{ what: what(), cidr }];
  });
}

function machineAddresses(node: Node): Named[] {
  const texts = (node.status?.addresses ?? [])
    .filter(({ type }) => type === "InternalIP")
    .flatMap(({ address }) => {
      const parsed = parseAddress(address);
      return parsed === undefined ? [] : [`${parsed.text}/${ADDRESS_BITS[parsed.family]}`];
    });
  return named(texts, () => `the address of ${nameOf(node)}`);
}

function distinct(ranges: readonly Named[]): readonly Named[] {
  return [...new Map(ranges.map((each) => [formatCidr(each.cidr), each])).values()];
}

function nameOf(node: Node): string {
  return node.metadata?.name ?? "";
}
