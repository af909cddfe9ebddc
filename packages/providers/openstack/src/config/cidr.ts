import { BlockList, isIP } from "node:net";

/** A range of addresses; undefined for an invalid text. */
export interface Cidr {
  has(address: string): boolean;
}

export function parseCidr(text: string): Cidr | undefined {
  const [, address = "", bits = ""] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || Number(bits) > (version === 4 ? 32 : 128)) return undefined;
  const family = version === 4 ? "ipv4" : "ipv6";
  const range = new BlockList();
  range.addSubnet(address, Number(bits), family);
  // BlockList also finds an IPv4 address in IPv6 ranges that contain its mapped form; our ranges have one family.
  return { has: (other) => isIP(other) === version && range.check(other, family) };
}
