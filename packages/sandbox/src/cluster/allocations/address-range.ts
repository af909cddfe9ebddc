import { BlockList } from "node:net";
import { canonicalAddress } from "../rules/ip-rules.ts";

export type IpFamily = "IPv4" | "IPv6";

/** A range of addresses that the cluster assigns, as in the API server's flag `--service-cluster-ip-range`. */
export interface AddressRange {
  readonly family: IpFamily;
  /** Addresses below this index are assigned only on request, or when no other is left. */
  readonly firstFree: number;
  /** The last assignable index; the first one is 1, the network itself is 0. */
  readonly last: number;
  readonly addressAt: (place: number) => string;
  /** Reports whether the address lies in the range, even if it is never assigned. */
  readonly includes: (address: string) => boolean;
}

/** `10.96.0.0/16`: the last address is the broadcast address and is never assigned. */
const IPV4_LAST = 2 ** 16 - 2;
/** `fd00:96::/108`: 20 bits. */
const IPV6_LAST = 2 ** 20 - 1;
/** Upstream's share for addresses that are requested explicitly, in ranges of this size. */
const RESERVED_PLACES = 256;

/** The two families in which services have addresses; the first one is the default. */
export const SERVICE_RANGES: readonly [AddressRange, AddressRange] = [
  {
    family: "IPv4",
    firstFree: RESERVED_PLACES + 1,
    last: IPV4_LAST,
    addressAt: (place) => `10.96.${place >> 8}.${place & 0xff}`,
    includes: within("10.96.0.0", 16, "ipv4"),
  },
  {
    family: "IPv6",
    firstFree: RESERVED_PLACES + 1,
    last: IPV6_LAST,
    addressAt: (place) =>
      canonicalAddress(`fd00:96::${(place >> 16).toString(16)}:${(place & 0xffff).toString(16)}`),
    includes: within("fd00:96::", 108, "ipv6"),
  },
];

function within(network: string, prefix: number, family: "ipv4" | "ipv6") {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return (address: string) => list.check(address, family);
}
