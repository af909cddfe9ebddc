import { isIP, isIPv4 } from "node:net";
import { invalidValue, type Problem } from "./problem.ts";

/** Checks upstream's strict rules for addresses in fields that are older than the rules: existing values may stay. */
export function ipProblems(
  field: string,
  value: string,
  known: readonly string[] = [],
): readonly Problem[] {
  if (known.includes(value)) return [];
  if (isIP(withoutLeadingZeros(value)) === 0) {
    return [
      invalidValue(field, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
    ];
  }
  if (isIP(value) === 0) return [invalidValue(field, value, "must not have leading 0s")];
  return isMapped(value)
    ? [invalidValue(field, value, "must not be an IPv4-mapped IPv6 address")]
    : [];
}

/** Does the same for CIDRs. */
export function cidrProblems(
  field: string,
  value: string,
  known: readonly string[] = [],
): readonly Problem[] {
  const why = known.includes(value) ? undefined : cidrFault(value);
  return why === undefined ? [] : [invalidValue(field, value, why)];
}

/** Requires an address to which traffic can be sent: not unspecified, not loopback, not link-local. */
export function endpointIpProblems(field: string, value: string): readonly Problem[] {
  const address = withoutLeadingZeros(value);
  if (isIP(address) === 0) return [invalidValue(field, value, "must be a valid IP address")];
  const canonical = canonicalAddress(address);
  return SPECIAL.filter(({ pattern }) => pattern.test(canonical)).map(({ why }) =>
    invalidValue(field, value, why ?? `may not be unspecified (${value})`),
  );
}

/** Returns warnings for the Warning header about spellings that upstream discourages. */
export function ipWarnings(field: string, value: string): readonly string[] {
  if (isIP(value) !== 6 || isMapped(value)) return [];
  const canonical = canonicalAddress(value);
  return canonical === value
    ? []
    : [`${field}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}

export function isIPv6Text(value: string): boolean {
  return isIP(value) === 6;
}

/** Returns the canonical spelling of a valid address. */
export function canonicalAddress(address: string): string {
  return isIPv4(address) ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
}

const SPECIAL: readonly { readonly pattern: RegExp; readonly why?: string }[] = [
  { pattern: /^(0\.0\.0\.0|::)$/ },
  { pattern: /^(127\.|::1$)/, why: "may not be in the loopback range (127.0.0.0/8, ::1/128)" },
  {
    pattern: /^(169\.254\.|fe[89ab][0-9a-f]:)/,
    why: "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
  },
  {
    pattern: /^(224\.0\.0\.|ff02:)/,
    why: "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  },
];

function cidrFault(value: string): string | undefined {
  const [address = "", bits = "", ...rest] = value.split("/");
  const family = isIP(withoutLeadingZeros(address));
  const isReadable =
    family !== 0 && rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= widthOf(family);
  if (!isReadable) return "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  if (isIP(address) === 0 || /^0\d/.test(bits)) {
    return "must not have leading 0s in IP or prefix length";
  }
  if (isMapped(address)) return "must not have an IPv4-mapped IPv6 address";
  return hasHostBits(address, Number(bits))
    ? "must not have bits set beyond the prefix length"
    : undefined;
}

function widthOf(family: number): number {
  return family === 4 ? 32 : 128;
}

function hasHostBits(address: string, prefix: number): boolean {
  const hostBits = BigInt(widthOf(isIP(address)) - prefix);
  return (numberOf(address) & ((1n << hostBits) - 1n)) !== 0n;
}

function numberOf(address: string): bigint {
  if (isIPv4(address)) return joined(address.split(".").map(Number), 8n);
  const [head = "", tail] = canonicalAddress(address).split("::");
  const left = groupsOf(head);
  const right = groupsOf(tail ?? "");
  const gap = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return joined([...left, ...gap, ...right], 16n);
}

function groupsOf(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((sum, part) => (sum << width) | BigInt(part), 0n);
}

function isMapped(value: string): boolean {
  return isIP(value) === 6 && /^::ffff:[0-9a-f]+:[0-9a-f]+$/.test(canonicalAddress(value));
}

/** Upstream once ignored the leading zeros of addresses, and still words its refusal accordingly. */
function withoutLeadingZeros(value: string): string {
  return value.includes(":") ? value : value.replace(/(^|\.)0+(?=\d)/g, "$1");
}
