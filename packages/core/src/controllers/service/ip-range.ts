import { isIPv4, isIPv6 } from "node:net";
import type { IpFamily } from "../../provider/load-balancers.ts";

export interface IpRange {
  readonly family: IpFamily;
  /** The first address of the range, a slash and the bits of its mask. */
  readonly text: string;
}

/** A CIDR in its one canonical form; undefined for what is none. Bare addresses are none (spec/60 §4). */
export function ipRangeOf(text: string): IpRange | undefined {
  const [, address = "", mask = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const bits = Number(mask);
  if (mask !== String(bits)) return undefined;
  if (isIPv4(address) && bits <= 32) {
    return { family: "IPv4", text: `${firstIPv4(address, bits)}/${bits}` };
  }
  if (isIPv6(address) && !address.includes("%") && bits <= 128) {
    return { family: "IPv6", text: `${firstIPv6(address, bits)}/${bits}` };
  }
  return undefined;
}

function firstIPv4(address: string, bits: number): string {
  return masked(address.split(".").map(Number), bits, 8).join(".");
}

function firstIPv6(address: string, bits: number): string {
  const groups = masked(groupsOf(spelled(address)), bits, 16);
  return spelled(groups.map((group) => group.toString(16)).join(":"));
}

/** The URL standard spells IPv6 addresses in one way: shortest, lower case, no dotted quads. */
function spelled(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

const GROUPS = 8;

function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const before = hexGroups(head);
  if (tail === undefined) return before;
  const after = hexGroups(tail);
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

function hexGroups(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

/** Clears all bits after the first ones. */
function masked(parts: readonly number[], bits: number, width: number): readonly number[] {
  return parts.map((part, index) => {
    const kept = Math.min(width, Math.max(0, bits - index * width));
    return part - (part % 2 ** (width - kept));
  });
}
