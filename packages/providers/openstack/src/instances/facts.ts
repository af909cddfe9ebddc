import type { InstanceFacts } from "@cloudwright/provider-api";
import { addressesOf, type NetworkingConfig, type ServerPorts } from "./addresses.ts";
import { providerIdOf, type Server } from "./server.ts";

/** What the facts of a server are derived from, besides the server. */
export interface FactsContext {
  readonly networking: NetworkingConfig;
  readonly region: string | undefined;
  /** Whether provider IDs that we write contain the region. */
  readonly regional: boolean;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
}

export interface ServerParts extends ServerPorts {
  readonly server: Server;
  /** The name of its flavor. */
  readonly type: string;
  /** The node's current provider ID, if any: the same server may be named with and without its region. */
  readonly providerID: string | undefined;
}

/** Upstream's label besides region and zone: a hash of the server's host. */
const HOST_ID_LABEL = "topology.openstack.org/host-id";

/** Returns the facts of a server (spec/providers/openstack §3.4). */
export function factsOf(parts: ServerParts, context: FactsContext): InstanceFacts {
  const { server, type } = parts;
  const { networking, region, regional, asOf } = context;
  return {
    providerID: parts.providerID ?? providerIdOf(server.id, regional ? region : undefined),
    name: server.name ?? "",
    type,
    zone: labelValue(server["OS-EXT-AZ:availability_zone"] ?? ""),
    region: region ?? "",
    addresses: addressesOf(server, parts, networking),
    additionalLabels: server.hostId ? { [HOST_ID_LABEL]: server.hostId } : {},
    power: powerOf(server),
    asOf,
  };
}

/** Volumes may be detached only from a server that is SHUTOFF. */
function powerOf({ status }: Server): InstanceFacts["power"] {
  if (status === "SHUTOFF") return "stopped";
  return status === "BUILD" ? "pending" : "running";
}

const LONGEST_LABEL = 63;
const LABEL = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

export function isLabelValue(text: string): boolean {
  return text.length <= LONGEST_LABEL && LABEL.test(text);
}

/** Converts a text to a valid label value, as upstream does. */
export function labelValue(text: string): string {
  const trimmed = text.replace(/[^-A-Za-z0-9_.]+/g, "-").replace(/^[-_.]+|[-_.]+$/g, "");
  return trimmed.slice(0, LONGEST_LABEL).replace(/[-_.]+$/, "");
}
