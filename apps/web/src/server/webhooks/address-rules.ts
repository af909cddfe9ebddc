import { BlockList, isIP } from "node:net";
import { t } from "@cloudwright/core/model/language/text";

/* Restricts where the dashboard connects on behalf of a user, because it is inside a network that the user may not reach. The rules
   check the address of the connection, not the name. */

export interface AddressOptions {
  /** Whether loopback and private addresses are allowed; a setting of the dashboard. */
  readonly privateAllowed: boolean;
}

/** Returns why an address must not be connected to; undefined if it may be. */
export function addressProblem(
  address: string,
  { privateAllowed }: AddressOptions,
): string | undefined {
  const family = isIP(address);
  if (family === 0) return `${address} is not an address.`;
  const bare = address.replace(/%.*$/, "");
  const checked = [bare, ...(family === 6 ? embeddedIn(bare) : [])];
  if (checked.some((each) => isIn(NEVER, each))) {
    return `${address} is a link-local, metadata or multicast address, to which nothing is sent.`;
  }
  if (privateAllowed || !checked.some((each) => isIn(PRIVATE, each))) return undefined;
  return `${address} is a loopback or private address, to which nothing is sent unless the dashboard has CLOUDWRIGHT_WEBHOOKS_PRIVATE=allow.`;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

type Range = readonly [address: string, prefix: number, family: "ipv4" | "ipv6"];

/** Link-local addresses, where clouds serve their metadata, and addresses that are not a single machine. */
const NEVER = listOf([
  ["169.254.0.0", 16, "ipv4"],
  // Metadata services at other addresses: Alibaba, Azure, Oracle, AWS over IPv6, Google over IPv6.
  ["100.100.100.200", 32, "ipv4"],
  ["168.63.129.16", 32, "ipv4"],
  ["192.0.0.192", 32, "ipv4"],
  ["fd00:ec2::", 32, "ipv6"],
  ["fd20:ce::254", 128, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["fec0::", 10, "ipv6"],
  ["224.0.0.0", 4, "ipv4"],
  ["240.0.0.0", 4, "ipv4"],
  ["ff00::", 8, "ipv6"],
]);

const PRIVATE = listOf([
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["::", 128, "ipv6"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
]);

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix, family] of ranges) list.addSubnet(address, prefix, family);
  return list;
}

/** Returns the IPv4 addresses that an IPv6 one leads to: mapped, compatible, NAT64 and 6to4. */
function embeddedIn(address: string): readonly string[] {
  const groups = groupsOf(address);
  const [first = 0, second = 0, third = 0] = groups;
  const low = dotted(groups[6] ?? 0, groups[7] ?? 0);
  const leading = groups.slice(0, 5).every((group) => group === 0);
  const isMapped = leading && (groups[5] === 0xffff || groups[5] === 0);
  const isNat64 = first === 0x64 && second === 0xff9b;
  return [
    ...((isMapped && !isPlainLoopback(groups)) || isNat64 ? [low] : []),
    ...(first === 0x2002 ? [dotted(second, third)] : []),
  ];
}

/** `::` and `::1` have ranges of their own. */
function isPlainLoopback(groups: readonly number[]): boolean {
  return groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) <= 1;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** Splits an IPv6 address, as written by the URL parser in pure hexadecimal, into its eight groups. */
function groupsOf(address: string): readonly number[] {
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const numbers = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [left, right] = [numbers(head), numbers(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right];
}

/** Parses a URL for a webhook and returns it as it is stored; throws an Error with a sentence for the user. */
export function parseWebhookUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new Error(t`Enter a URL that begins with https:// or http://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error(t`A URL with a user name or password in it is not accepted.`);
  }
  url.hash = "";
  return url;
}
