/** Addresses that are assigned one after the other. */
export interface AddressRange {
  readonly size: number;
  /** Returns address number `index` of `size`, from 0. */
  readonly at: (index: number) => string;
}

/** Returns the usable addresses of an IPv4 network: without the network and broadcast addresses. */
export function rangeOf(network: string, prefix: number): AddressRange {
  const base = network.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return { size: 2 ** (32 - prefix) - 2, at: (index) => dotted(base + 1 + index) };
}

/** Returns the first 65,535 addresses of an IPv6 network, which is given up to its `::`. */
export function rangeOfV6(network: string): AddressRange {
  return { size: 65_535, at: (index) => `${network}${(index + 1).toString(16)}` };
}

/** Cycles through the ranges, so that a released address is not assigned to the very next request. */
export function walk(
  ranges: readonly AddressRange[],
  isTaken: (address: string) => boolean,
): () => string {
  const total = ranges.reduce((sum, { size }) => sum + size, 0);
  let position = 0;
  return () => {
    for (let tries = 0; tries < total; tries += 1) {
      const address = nth(ranges, position);
      position = (position + 1) % total;
      if (!isTaken(address)) {
        return address;
      }
    }
    throw new Error("The sandbox cloud has no free address left: delete something that has one.");
  };
}

function nth(ranges: readonly AddressRange[], index: number): string {
  let rest = index;
  for (const { size, at } of ranges) {
    if (rest < size) {
      return at(rest);
    }
    rest -= size;
  }
  throw new RangeError(`There is no address number ${index}.`);
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}
