import { isIP } from "node:net";
import type { CallContext } from "@cloudwright/provider-api";
import { z } from "zod";
import { type OpenStackClient, path } from "../api/client.ts";
import { isNotFound, isRevisionConflict } from "../api/errors.ts";
import { revisionHeader } from "./router.ts";

const pairSchema = z.object({ ip_address: z.string(), mac_address: z.string().nullish() });

const portSchema = z.object({
  id: z.string().min(1),
  network_id: z.string().min(1),
  device_id: z.string().nullish(),
  device_owner: z.string().nullish(),
  fixed_ips: z.array(z.object({ ip_address: z.string() })).nullish(),
  port_security_enabled: z.boolean().nullish(),
  allowed_address_pairs: z.array(pairSchema).nullish(),
  revision_number: z.number().int().nullish(),
});
/** A Neutron port, with the fields that routes need. */
export type RouterPort = Readonly<z.output<typeof portSchema>>;

const answerSchema = z.object({ port: portSchema });
const FIELDS = Object.keys(portSchema.shape);
/** More values in one request would make its URL too long for proxies. */
const NAMED_PER_CALL = 50;
/** How often a port is written again if others change it meanwhile. */
const MOST_TRIES = 5;

/** The ports on the networks of one router, to which its routes point. Throws ProviderError. */
export class RouterPorts {
  readonly #client: OpenStackClient;
  readonly #routerId: string;
  /** The networks on which the router has interfaces; read again when something is not found on them. */
  #networks: ReadonlySet<string> = new Set();

  constructor(client: OpenStackClient, routerId: string) {
    this.#client = client;
    this.#routerId = routerId;
  }

  /** Returns the only port with each of these canonical addresses; leaves out addresses with no port or several. */
  async holding(
    addresses: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, RouterPort>> {
    const values = addresses.map((address) => `ip_address=${address}`);
    const ports = await this.#list({ key: "fixed_ips", values }, context);
    return this.#onOurNetworks({ ports, keys: addresses, by: byAddress }, context);
  }

  /** Returns the ports of each of these servers. */
  async ofServers(
    servers: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, readonly RouterPort[]>> {
    const ports = await this.#list({ key: "device_id", values: servers }, context);
    return this.#onOurNetworks({ ports, keys: servers, by: byServer }, context);
  }

  /** Lets the port receive and send traffic of the range; returns the port after the change, or undefined if it needed none. */
  async allow(
    port: RouterPort,
    range: string,
    context: CallContext,
  ): Promise<RouterPort | undefined> {
    return this.#editPairs(port, context, (pairs) =>
      pairs.some((pair) => pair.ip_address === range) ? pairs : [...pairs, { ip_address: range }],
    );
  }

  /** Reverts `allow`; a missing port is fine. */
  async disallow(port: RouterPort, range: string, context: CallContext): Promise<void> {
    try {
      await this.#editPairs(port, context, (pairs) =>
        pairs.filter((pair) => pair.ip_address !== range),
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #onOurNetworks<Value>(
    { ports, keys, by }: Found<Value>,
    context: CallContext,
  ): Promise<ReadonlyMap<string, Value>> {
    const on = (networks: ReadonlySet<string>) =>
      by(ports.filter((port) => networks.has(port.network_id)));
    const known = on(this.#networks);
    if (keys.every((key) => known.has(key))) return known;
    const interfaces = await this.#list({ key: "device_id", values: [this.#routerId] }, context);
    this.#networks = new Set(interfaces.map((port) => port.network_id));
    return on(this.#networks);
  }

  async #list({ key, values }: Filter, context: CallContext): Promise<readonly RouterPort[]> {
    const chunks = Array.from({ length: Math.ceil(values.length / NAMED_PER_CALL) }, (_, index) =>
      values.slice(index * NAMED_PER_CALL, (index + 1) * NAMED_PER_CALL),
    );
    const pages = chunks.map((some) =>
      this.#client.listAll({
        ...{ service: "network", path: "/ports", collection: "ports", item: portSchema },
        query: { [key]: some, fields: FIELDS },
        ...{
          operation: "port_list",
          target: some.length === 1 ? String(some[0]) : `${some.length} ports`,
        },
        context,
      }),
    );
    return (await Promise.all(pages)).flatMap(({ items }) => items);
  }

  /** Returns the port after the change; undefined if nothing had to be written. */
  async #editPairs(
    port: RouterPort,
    context: CallContext,
    edit: EditPairs,
  ): Promise<RouterPort | undefined> {
    const extensions = await this.#client.versions("network", context);
    if (!extensions.has("allowed-address-pairs")) return undefined;
    let current = port;
    for (let left = MOST_TRIES; ; left--) {
      const wanted = editedPairs(current, edit);
      if (wanted === undefined) return undefined;
      try {
        return await this.#write(current, wanted, context);
      } catch (error) {
        if (!isRevisionConflict(error) || left === 1) throw error;
        current = await this.#read(current.id, context);
      }
    }
  }

  async #write(
    port: RouterPort,
    pairs: readonly Pair[],
    context: CallContext,
  ): Promise<RouterPort> {
    const { value } = await this.#client.request({
      ...{ service: "network", method: "PUT", path: path`/ports/${port.id}` },
      headers: revisionHeader(port.revision_number ?? undefined),
      body: { port: { allowed_address_pairs: pairs } },
      ...{ operation: "port_update", target: port.id, schema: answerSchema, context },
    });
    return value.port;
  }

  async #read(id: string, context: CallContext): Promise<RouterPort> {
    const { value } = await this.#client.request({
      ...{ service: "network", path: path`/ports/${id}`, query: { fields: FIELDS } },
      ...{ operation: "port_get", target: id, schema: answerSchema, context },
    });
    return value.port;
  }
}

/** Returns undefined if nothing has to be written: a port without port security lets everything through. */
function editedPairs(port: RouterPort, edit: EditPairs): readonly Pair[] | undefined {
  const pairs = port.allowed_address_pairs ?? [];
  const wanted = edit(pairs);
  const isSame = wanted.length === pairs.length;
  return isSame || port.port_security_enabled === false ? undefined : wanted;
}

type Pair = z.output<typeof pairSchema>;
type EditPairs = (pairs: readonly Pair[]) => readonly Pair[];

interface Filter {
  readonly key: "fixed_ips" | "device_id";
  readonly values: readonly string[];
}

interface Found<Value> {
  readonly ports: readonly RouterPort[];
  /** The values to look for. */
  readonly keys: readonly string[];
  by(ports: readonly RouterPort[]): ReadonlyMap<string, Value>;
}

/** Returns the server that a port belongs to, which may also be an appliance's, a load balancer's or unused. */
export function serverOf({ device_owner, device_id }: RouterPort): string | undefined {
  const isOfServer = device_owner?.startsWith("compute:") === true;
  return isOfServer && device_id !== "" ? (device_id ?? undefined) : undefined;
}

function byAddress(ports: readonly RouterPort[]): ReadonlyMap<string, RouterPort> {
  const entries = ports.flatMap((port) =>
    (port.fixed_ips ?? []).map(({ ip_address }) => [canonicalAddress(ip_address), port] as const),
  );
  const counts = new Map<string, number>();
  for (const [address] of entries) counts.set(address, (counts.get(address) ?? 0) + 1);
  return new Map(entries.filter(([address]) => counts.get(address) === 1));
}

function byServer(ports: readonly RouterPort[]): ReadonlyMap<string, readonly RouterPort[]> {
  const found = new Map<string, RouterPort[]>();
  for (const port of ports) {
    const server = serverOf(port);
    if (server !== undefined) found.set(server, [...(found.get(server) ?? []), port]);
  }
  return found;
}

/** Normalises an IPv6 address, which can be written in many ways; other texts are returned unchanged. */
export function canonicalAddress(text: string): string {
  return isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}

/** Does the same for a range. */
export function canonicalRange(text: string): string {
  const [address = "", bits = ""] = text.split("/");
  return `${canonicalAddress(address)}/${bits}`;
}
