import type { Address } from "./instance.ts";

/** Hands out IP addresses that no machine of this cloud has. */
export interface AddressPool {
  /** One InternalIP and one ExternalIP for a new machine, and its name as Hostname. */
  defaultsFor(name: string): Address[];
  occupy(addresses: readonly Address[]): void;
  vacate(addresses: readonly Address[]): void;
  clear(): void;
}

interface Range {
  readonly first: number;
  readonly size: number;
}

const INTERNAL: readonly Range[] = [range("10.64.0.0", 10)];

/** The documentation networks of RFC 5737; they hold 762 machines, more than that go on in the benchmarking network of RFC 2544. */
const EXTERNAL: readonly Range[] = [
  range("203.0.113.0", 24),
  range("198.51.100.0", 24),
  range("192.0.2.0", 24),
  range("198.18.0.0", 15),
];

export function createAddressPool(): AddressPool {
  const holders = new Map<string, number>();
  const nextInternal = walk(INTERNAL, holders);
  const nextExternal = walk(EXTERNAL, holders);
  return {
    defaultsFor: (name) => [
      { type: "InternalIP", address: nextInternal() },
      { type: "ExternalIP", address: nextExternal() },
      { type: "Hostname", address: name },
    ],
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

/** Goes round through the ranges, so that an address that became free is not given to the very next machine. */
function walk(ranges: readonly Range[], holders: ReadonlyMap<string, number>): () => string {
  const total = ranges.reduce((sum, { size }) => sum + size, 0);
  let position = 0;
  return () => {
    for (let tries = 0; tries < total; tries += 1) {
      const address = nth(ranges, position);
      position = (position + 1) % total;
      if (!holders.has(address)) {
        return address;
      }
    }
    throw new Error("The sandbox cloud has no free address left: delete machines.");
  };
}

function nth(ranges: readonly Range[], index: number): string {
  let rest = index;
  for (const { first, size } of ranges) {
    if (rest < size) {
      return dotted(first + rest);
    }
    rest -= size;
  }
  throw new RangeError(`There is no address number ${index}.`);
}

/** The usable addresses of a network: neither its own nor the broadcast address. */
function range(network: string, prefix: number): Range {
  const base = network.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return { first: base + 1, size: 2 ** (32 - prefix) - 2 };
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}
