import type { Address } from "../instances/instance.ts";
import { rangeOf, walk } from "./address-range.ts";

/** Assigns IP addresses that no machine of this cloud has. */
export interface AddressPool {
  /** Returns one InternalIP and one ExternalIP for a new machine, and its name as Hostname. */
  defaultsFor(name: string): Address[];
  /** Reports whether a machine has this address. */
  holds(address: string): boolean;
  occupy(addresses: readonly Address[]): void;
  vacate(addresses: readonly Address[]): void;
  clear(): void;
}

const INTERNAL = [rangeOf("10.64.0.0", 10)];

/**
 * The documentation networks of RFC 5737, which suffice for 762 machines; further ones use the lower half of the benchmarking network of
 * RFC 2544. The upper half is for load balancers.
 */
const EXTERNAL = [
  rangeOf("203.0.113.0", 24),
  rangeOf("198.51.100.0", 24),
  rangeOf("192.0.2.0", 24),
  rangeOf("198.18.0.0", 16),
];

export function createAddressPool(): AddressPool {
  const holders = new Map<string, number>();
  const nextInternal = walk(INTERNAL, (address) => holders.has(address));
  const nextExternal = walk(EXTERNAL, (address) => holders.has(address));
  return {
    defaultsFor: (name) => [
      { type: "InternalIP", address: nextInternal() },
      { type: "ExternalIP", address: nextExternal() },
      { type: "Hostname", address: name },
    ],
    holds: (address) => holders.has(address),
    occupy: (addresses) => {
      for (const address of ipsOf(addresses)) {
        holders.set(address, (holders.get(address) ?? 0) + 1);
      }
    },
    vacate: (addresses) => {
      for (const address of ipsOf(addresses)) {
        const left = (holders.get(address) ?? 0) - 1;
        if (left > 0) {
          holders.set(address, left);
        } else {
          holders.delete(address);
        }
      }
    },
    clear: () => holders.clear(),
  };
}

function ipsOf(addresses: readonly Address[]): string[] {
  return addresses
    .filter(({ type }) => type === "InternalIP" || type === "ExternalIP")
    .map(({ address }) => address);
}
