import type { Node } from "../../../kube/client.ts";
import type { ReasonOf } from "../../../model/reason.ts";
import { phrased } from "../../../model/reasons/phrases.ts";
import { type Cidr, formatCidr, lastAddress, parseCidr } from "../../../model/values/cidr.ts";
import { podCidrsOf } from "../../objects/pod-cidrs.ts";

/** A range of addresses with frequently used properties. */
export interface IpRange extends Cidr {
  /** The canonical text. */
  readonly text: string;
  readonly last: bigint;
}

/** One entry of a node's `podCIDRs`. */
export type PodRange =
  | { readonly kind: "range"; readonly range: IpRange }
  | { readonly kind: "invalid"; readonly reason: ReasonOf<"PodCIDRInvalid"> };

/**
 * Cached by object, as a changed node is a new object: each observation needs the ranges of all nodes several
 * times.
 */
const known = new WeakMap<Node, readonly PodRange[]>();

/** Returns the pod ranges of a node in their order, each once however it is written (spec/40 §7, RW-4). */
export function podRangesOf(node: Node): readonly PodRange[] {
  const ranges = known.get(node) ?? readRanges(node);
  known.set(node, ranges);
  return ranges;
}

function readRanges(node: Node): readonly PodRange[] {
  const seen = new Set<string>();
  return podCidrsOf(node).map(podRangeOf).filter(isNew);

  function isNew(one: PodRange): boolean {
    const text = textOf(one);
    const isFirst = !seen.has(text);
    seen.add(text);
    return isFirst;
  }
}

/** Returns the canonical form, or the text as written if it is not a range. */
export function textOf(one: PodRange): string {
  return one.kind === "range" ? one.range.text : one.reason.cidr;
}

/** Returns the entries that can be parsed. */
export function rangesIn(node: Node): readonly IpRange[] {
  return podRangesOf(node).flatMap((one) => (one.kind === "range" ? [one.range] : []));
}

/** Undefined for text that is not a range. */
export function ipRangeOf(text: string): IpRange | undefined {
  const cidr = parseCidr(text);
  return cidr && { ...cidr, text: formatCidr(cidr), last: lastAddress(cidr) };
}

/** Returns the ranges among the texts. */
export function ipRangesOf(texts: readonly string[]): readonly IpRange[] {
  return texts.map(ipRangeOf).filter((range) => range !== undefined);
}

/** Reports whether the address lies in the range; both are of one family. */
export function isWithin(address: bigint, { first, last }: IpRange): boolean {
  return first <= address && address <= last;
}

function podRangeOf(cidr: string): PodRange {
  const range = ipRangeOf(cidr);
  if (range !== undefined) return { kind: "range", range };
  const problem = phrased("problem", "noCidr", "10.244.3.0/24");
  return { kind: "invalid", reason: { code: "PodCIDRInvalid", cidr, ...problem } };
}
