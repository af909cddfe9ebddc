import { isIPv6 } from "node:net";
import type { NodeAddress } from "@cloudwright/provider-api";
import { type Cidr, parseCidr } from "../config/cidr.ts";
import type { OpenStackConfig } from "../config/config.ts";
import type { Port, Server } from "./server.ts";

export type NetworkingConfig = OpenStackConfig["networking"];

/** A server's ports in Neutron. */
export interface ServerPorts {
  /** Its own, in Neutron's order. */
  readonly ports: readonly Port[];
  /** The subports of its trunks, each with the name of its network. */
  readonly subPorts: readonly { readonly port: Port; readonly network: string }[];
}

/**
 * Returns the addresses of a server in upstream's order, each once: those of its active ports, its access addresses, its host
 * name, then, network by network, those that its networks and the configuration add. Source: spec/providers/openstack §3.3.
 */
export function addressesOf(
  server: Server,
  { ports, subPorts }: ServerPorts,
  config: NetworkingConfig,
): readonly NodeAddress[] {
  const found = new Addresses(config.ipv6SupportDisabled);
  const active = ports.filter(({ status }) => status === "ACTIVE");
  for (const { ip_address } of active.flatMap(({ fixed_ips }) => fixed_ips))
    found.add("InternalIP", ip_address);
  addOwn(found, server);
  for (const { network, address, isFloating } of byNetwork(server, subPorts)) {
    if (isFloating) found.add("ExternalIP", address);
    else if (config.publicNetworkName.includes(network)) found.replace("ExternalIP", address);
    else if (isInternal(network, config)) found.add("InternalIP", address);
    else found.remove(address);
  }
  return sortAddresses(found.all, config.addressSortOrder);
}

function addOwn(found: Addresses, { accessIPv4, accessIPv6, metadata }: Server): void {
  found.add("ExternalIP", accessIPv4 ?? "");
  found.add("ExternalIP", accessIPv6 ?? "");
  if (typeof metadata?.hostname === "string") found.add("Hostname", metadata.hostname);
}

function isInternal(network: string, { internalNetworkName }: NetworkingConfig): boolean {
  return internalNetworkName.length === 0 || internalNetworkName.includes(network);
}

interface OnNetwork {
  readonly network: string;
  readonly address: string;
  readonly isFloating: boolean;
}

function byNetwork(server: Server, subPorts: ServerPorts["subPorts"]): readonly OnNetwork[] {
  const own = Object.entries(server.addresses ?? {}).flatMap(([network, addresses]) =>
    addresses.map(({ addr, "OS-EXT-IPS:type": type }) => ({
      network,
      address: addr,
      isFloating: type === "floating",
    })),
  );
  const below = subPorts.flatMap(({ port, network }) =>
    port.fixed_ips.map(({ ip_address }) => ({ network, address: ip_address, isFloating: false })),
  );
  return [...own, ...below].toSorted((one, other) => compare(one.network, other.network));
}

class Addresses {
  readonly #withoutIPv6: boolean;
  #all: NodeAddress[] = [];

  constructor(withoutIPv6: boolean) {
    this.#withoutIPv6 = withoutIPv6;
  }

  get all(): readonly NodeAddress[] {
    return this.#all;
  }

  add(type: NodeAddress["type"], address: string): void {
    if (address === "" || (this.#withoutIPv6 && isIPv6(address))) return;
    const isThere = this.#all.some((each) => each.type === type && each.address === address);
    if (!isThere) this.#all.push({ type, address });
  }

  /** Replaces any earlier type. */
  replace(type: NodeAddress["type"], address: string): void {
    this.remove(address);
    this.add(type, address);
  }

  remove(address: string): void {
    this.#all = this.#all.filter((each) => each.address !== address);
  }
}

/** Sorts addresses by the first range that contains them, and within a range by value; those in no range follow in their original order. */
export function sortAddresses(
  addresses: readonly NodeAddress[],
  order: readonly string[],
): readonly NodeAddress[] {
  const ranges = order.map(parseCidr).filter((range): range is Cidr => range !== undefined);
  const ranked = addresses.map((each) => {
    const at = ranges.findIndex((range) => range.has(each.address));
    return { each, rank: at < 0 ? ranges.length : at };
  });
  return ranked
    .toSorted((one, other) => {
      if (one.rank !== other.rank || one.rank === ranges.length) return one.rank - other.rank;
      return compare(sortKey(one.each.address), sortKey(other.each.address));
    })
    .map(({ each }) => each);
}

/** Returns a text that sorts like the address's numeric value. */
function sortKey(address: string): string {
  if (!isIPv6(address))
    return address
      .split(".")
      .map((part) => part.padStart(3, "0"))
      .join(".");
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [before, after] = [head, tail ?? ""].map((part) =>
    part.split(":").filter((each) => each !== ""),
  );
  const zeros = 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [
    ...(before ?? []),
    ...Array.from({ length: Math.max(0, zeros) }, () => "0"),
    ...(after ?? []),
  ];
  return groups.map((group) => group.padStart(4, "0")).join(":");
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
