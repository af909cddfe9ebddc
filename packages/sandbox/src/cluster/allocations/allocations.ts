import { randomInt } from "node:crypto";
import type { ApiObject } from "../resources/metadata.ts";
import { canonicalAddress } from "../rules/ip-rules.ts";
import type { ObjectStore } from "../state/object-store.ts";
import { type AddressRange, type IpFamily, SERVICE_RANGES } from "./address-range.ts";

/** The addresses and ports that one object holds. */
export interface Holdings {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/** A refusal of a pool, in upstream's words. */
export class AllocationError extends Error {
  override readonly name = "AllocationError";
}

/** Node ports, the default of the API server's flag `--service-node-port-range`. */
const PORTS = { first: 30_000, last: 32_767, firstFree: 30_086 };

/**
 * The taken addresses and node ports, derived from the objects themselves: stored objects hold theirs, deleted ones no longer do, so a
 * restart finds the same and nothing has to be released.
 */
export class Allocations {
  readonly #holdingsOf: (object: ApiObject) => Holdings;
  readonly #addresses = new Set<string>();
  readonly #ports = new Set<number>();

  constructor(store: ObjectStore, storage: string, holdingsOf: (object: ApiObject) => Holdings) {
    this.#holdingsOf = holdingsOf;
    for (const { object } of store.list({ storage, prefix: "" }).revisions) this.#take(object);
    store.listen((change) => {
      if (change.storage !== storage) return;
      if (change.previous !== undefined) this.#release(change.previous.object);
      if (change.kind !== "deleted") this.#take(change.revision.object);
    });
  }

  /** Returns the allocations of one write; none of them is taken before the object is stored. */
  draft(): AllocationDraft {
    return new AllocationDraft(this.#addresses, this.#ports);
  }

  /** Returns the same for a dry run: it gets placeholders instead of free addresses and ports, as upstream does. */
  dryDraft(): AllocationDraft {
    return new DryDraft(this.#addresses, this.#ports);
  }

  #take(object: ApiObject): void {
    const { addresses, ports } = this.#holdingsOf(object);
    for (const address of addresses) this.#addresses.add(canonicalAddress(address));
    for (const port of ports) this.#ports.add(port);
  }

  #release(object: ApiObject): void {
    const { addresses, ports } = this.#holdingsOf(object);
    for (const address of addresses) this.#addresses.delete(canonicalAddress(address));
    for (const port of ports) this.#ports.delete(port);
  }
}

/** Allocations that know of each other, so that one write does not choose the same twice. */
export class AllocationDraft {
  readonly #takenAddresses: ReadonlySet<string>;
  readonly #takenPorts: ReadonlySet<number>;
  readonly #ports = new Set<number>();

  constructor(takenAddresses: ReadonlySet<string>, takenPorts: ReadonlySet<number>) {
    this.#takenAddresses = takenAddresses;
    this.#takenPorts = takenPorts;
  }

  /** Returns a free address of the family. Throws AllocationError. */
  nextAddress(family: IpFamily): string {
    const { firstFree, last, addressAt } = rangeOf(family);
    const place = findFree(
      { first: 1, firstFree, last },
      (candidate) => !this.#takenAddresses.has(addressAt(candidate)),
    );
    return addressAt(place);
  }

  /** Takes an address. Throws AllocationError when it is taken or outside the range. */
  takeAddress(family: IpFamily, address: string): void {
    const range = rangeOf(family);
    const canonical = canonicalAddress(address);
    if (!range.includes(address) || isEdge(range, canonical)) {
      throw new AllocationError("the provided network does not match the current range");
    }
    if (this.#takenAddresses.has(canonical)) {
      throw new AllocationError("provided IP is already allocated");
    }
  }

  /** Returns a free node port. Throws AllocationError. */
  nextPort(): number {
    const port = findFree(PORTS, (candidate) => !this.#isTaken(candidate));
    this.#ports.add(port);
    return port;
  }

  /** Takes a port. Throws AllocationError when it is taken or outside the range. */
  takePort(port: number): void {
    if (port < PORTS.first || port > PORTS.last) {
      throw new AllocationError(
        `provided port is not in the valid range. The range of valid ports is ${PORTS.first}-${PORTS.last}`,
      );
    }
    if (this.#isTaken(port)) throw new AllocationError("provided port is already allocated");
    this.#ports.add(port);
  }

  #isTaken(port: number): boolean {
    return this.#takenPorts.has(port) || this.#ports.has(port);
  }
}

/** Above every node port. */
const PLACEHOLDER_PORT = PORTS.last + 2;

class DryDraft extends AllocationDraft {
  #nextPlaceholder = PLACEHOLDER_PORT;

  /** Returns the network's own address, which no service ever gets. */
  override nextAddress(family: IpFamily): string {
    return rangeOf(family).addressAt(0);
  }

  override nextPort(): number {
    this.#nextPlaceholder += 1;
    return this.#nextPlaceholder - 1;
  }
}

interface AddressSpan {
  readonly first: number;
  /** Lower numbers are for explicit requests, and the last resort. */
  readonly firstFree: number;
  readonly last: number;
}

/** Searches from a random place, so that one that was just released is not assigned again at once. */
function findFree(
  { first, firstFree, last }: AddressSpan,
  isFree: (place: number) => boolean,
): number {
  const start = randomInt(firstFree, last + 1);
  for (let step = 0; step <= last - firstFree; step += 1) {
    const place = firstFree + ((start - firstFree + step) % (last - firstFree + 1));
    if (isFree(place)) return place;
  }
  for (let place = first; place < firstFree; place += 1) {
    if (isFree(place)) return place;
  }
  throw new AllocationError("range is full");
}

function rangeOf(family: IpFamily): AddressRange {
  const [ipv4, ipv6] = SERVICE_RANGES;
  return family === "IPv4" ? ipv4 : ipv6;
}

/** Reports whether the address is the network itself, or past the last assignable one. */
function isEdge({ family, last, addressAt }: AddressRange, address: string): boolean {
  if (address === addressAt(0)) return true;
  return family === "IPv4" && address === addressAt(last + 1);
}
