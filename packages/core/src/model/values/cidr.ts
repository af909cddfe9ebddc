export type AddressFamily = "IPv4" | "IPv6";

/** A range of addresses: all whose first `bits` bits are those of `first`. */
export interface Cidr {
  readonly family: AddressFamily;
  /** The lowest address as a number. */
  readonly first: bigint;
  /** The length of the mask. */
  readonly bits: number;
}

/** How many bits an address has. */
export const ADDRESS_BITS: Readonly<Record<AddressFamily, number>> = { IPv4: 32, IPv6: 128 };

/**
 * Parses a range like Kubernetes: bits beyond the mask are ignored, and leading zeros of decimal numbers are
 * tolerated. Undefined for anything else; an address without a mask is not a range.
 */
export function parseCidr(text: string): Cidr | undefined {
  const [, address = "", mask = ""] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  const parsed = parseIPv4(address) ?? parseIPv6(address);
  const bits = Number(mask);
  if (mask === "" || parsed === undefined || bits > ADDRESS_BITS[parsed.family]) return undefined;
  const { family, value } = parsed;
  const hostBits = hostBitsOf({ family, bits });
  return { family, first: (value >> hostBits) << hostBits, bits };
}

/** Returns the canonical text of a range: its first address, for IPv6 in RFC 5952 form, and its mask. */
export function formatCidr({ family, first, bits }: Cidr): string {
  return `${family === "IPv4" ? formatIPv4(first) : formatIPv6(first)}/${bits}`;
}

/**
 * Returns an address with its canonical spelling; undefined for anything else. Leading zeros of decimal numbers
 * are tolerated.
 */
export function parseAddress(
  text: string,
): { readonly family: AddressFamily; readonly text: string } | undefined {
  const parsed = parseIPv4(text) ?? parseIPv6(text);
  if (parsed === undefined) return undefined;
  const { family, value } = parsed;
  return { family, text: family === "IPv4" ? formatIPv4(value) : formatIPv6(value) };
}

/** Returns the highest address of the range. */
export function lastAddress(cidr: Cidr): bigint {
  return cidr.first + (1n << hostBitsOf(cidr)) - 1n;
}

export function overlaps(one: Cidr, other: Cidr): boolean {
  if (one.family !== other.family) return false;
  return one.first <= lastAddress(other) && other.first <= lastAddress(one);
}

export function contains(whole: Cidr, part: Cidr): boolean {
  if (whole.family !== part.family) return false;
  return whole.first <= part.first && lastAddress(part) <= lastAddress(whole);
}

function hostBitsOf({ family, bits }: Pick<Cidr, "family" | "bits">): bigint {
  return BigInt(ADDRESS_BITS[family] - bits);
}

interface Address {
  readonly family: AddressFamily;
  readonly value: bigint;
}

function parseIPv4(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every(isByte)) return undefined;
  return { family: "IPv4", value: joined(parts.map(Number), 8n) };
}

function isByte(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= 255;
}

const GROUPS = 8;

function parseIPv6(text: string): Address | undefined {
  const halves = withoutQuad(text).split("::").map(groupsOf);
  const [head, tail] = halves;
  if (halves.length > 2 || head === undefined) return undefined;
  const groups = tail === undefined ? head : [...head, ...zeros(head, tail), ...tail];
  if (groups.length !== GROUPS || groups.some(Number.isNaN)) return undefined;
  return { family: "IPv6", value: joined(groups, 16n) };
}

/** The last two groups may be written as an IPv4 address. */
function withoutQuad(text: string): string {
  const [, before = "", quad = ""] = /^(.*:)([\d.]+\.[\d.]+)$/.exec(text) ?? [];
  const value = quad === "" ? undefined : parseIPv4(quad)?.value;
  if (value === undefined) return text;
  return `${before}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

/** NaN for an invalid group. */
function groupsOf(text: string): readonly number[] {
  if (text === "") return [];
  return text
    .split(":")
    .map((group) => (/^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16) : Number.NaN));
}

/** Returns the groups for `::`: at least one group of zeros. */
function zeros(head: readonly number[], tail: readonly number[]): readonly number[] {
  return Array.from({ length: Math.max(1, GROUPS - head.length - tail.length) }, () => 0);
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | BigInt(part), 0n);
}

function formatIPv4(value: bigint): string {
  return split(value, { count: 4, width: 8n }).join(".");
}

function formatIPv6(value: bigint): string {
  const groups = split(value, { count: GROUPS, width: 16n }).map((group) => group.toString(16));
  const gap = longestZeros(groups);
  if (gap.length < 2) return groups.join(":");
  const before = groups.slice(0, gap.at).join(":");
  const after = groups.slice(gap.at + gap.length).join(":");
  return `${before}::${after}`;
}

function split(
  value: bigint,
  { count, width }: { readonly count: number; readonly width: bigint },
): readonly bigint[] {
  const mask = (1n << width) - 1n;
  return Array.from(
    { length: count },
    (_, index) => (value >> (BigInt(count - 1 - index) * width)) & mask,
  );
}

/** Returns the first of the longest runs of zeros. */
function longestZeros(groups: readonly string[]): { readonly at: number; readonly length: number } {
  let longest = { at: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === "0" ? length + 1 : 0;
    if (length > longest.length) longest = { at: index + 1 - length, length };
  }
  return longest;
}
