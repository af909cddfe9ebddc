import type { Node } from "../../../kube/client.ts";
import type { ReasonOf } from "../../../model/reason.ts";
import { phrased } from "../../../model/reasons/phrases.ts";
import { type Cidr, formatCidr, lastAddress, parseCidr } from "../../../model/values/cidr.ts";
import { podCidrsOf } from "../../objects/pod-cidrs.ts";

/** A range of addresses with what is asked of it often. */
export interface IpRange extends Cidr {
  /** The one way to write it. */
  readonly text: string;
  readonly last: bigint;
}

/** One entry of a node's `podCIDRs`. */
export type PodRange =
  | { readonly kind: "range"; readonly range: IpRange }
  | { readonly kind: "invalid"; readonly reason: ReasonOf<"PodCIDRInvalid"> };

/** By the object, which a changed node is not any more: each look asks for those of all nodes several times. */
const known = new WeakMap<Node, readonly PodRange[]>();

/** The pod ranges of a node in its order, each once however it is written (spec/40 §7, RW-4). */
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

/** The canonical form, or what is written when that is no range. */
export function textOf(one: PodRange): string {
  return one.kind === "range" ? one.range.text : one.reason.cidr;
}

/** Those entries that can be read. */
export function rangesIn(node: Node): readonly IpRange[] {
  return podRangesOf(node).flatMap((one) => (one.kind === "range" ? [one.range] : []));
}

/** Undefined for what is no range. */
export function ipRangeOf(text: string): IpRange | undefined {
  const cidr = parseCidr(text);
  return cidr && { ...cidr, text: formatCidr(cidr), last: lastAddress(cidr) };
}

/** Those of the texts that are ranges. */
export function ipRangesOf(texts: readonly string[]): readonly IpRange[] {
  return texts.map(ipRangeOf).filter((range) => range !== undefined);
}

/** Whether the address lies in the range; both are of one family. */
export function isWithin(address: bigint, { first, last }: IpRange): boolean {
  return first <= address && address <= last;
}

function podRangeOf(cidr: string): PodRange {
  const range = ipRangeOf(cidr);
  if (range !== undefined) return { kind: "range", range };
  const problem = phrased("problem", "noCidr", "10.244.3.0/24");
  return { kind: "invalid", reason: { code: "PodCIDRInvalid", cidr, ...problem } };
}
