import { BlockList } from "node:net";
import { canonicalAddress } from "../rules/ip-rules.ts";

export type IpFamily = "IPv4" | "IPv6";

/** A range of addresses that the cluster hands out of, as the API server's flag `--service-cluster-ip-range` gives it. */
export interface AddressRange {
  readonly family: IpFamily;
  /** The addresses below this place are handed out only when asked for, or when no other is left. */
  readonly firstFree: number;
  /** The last place that is an address to hand out; the first one is 1, the network itself is 0. */
  readonly last: number;
  readonly addressAt: (place: number) => string;
  /** Whether the address lies in the range, also where nobody is given it. */
  readonly includes: (address: string) => boolean;
}

/** `10.96.0.0/16`: the last address is the broadcast address and stays free. */
const IPV4_LAST = 2 ** 16 - 2;
/** `fd00:96::/108`: 20 bits. */
const IPV6_LAST = 2 ** 20 - 1;
/** Upstream's share for addresses that are asked for by name, in ranges as large as these. */
const RESERVED_PLACES = 256;

/** The two families in which services have addresses, the first one being the default. */
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
