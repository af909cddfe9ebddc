import { type CallContext, isProviderError, ProviderError } from "@cloudwright/provider-api";
import { z } from "zod";
import { type ApiItems, type OpenStackClient, path } from "../api/client.ts";
import { isNotFound } from "../api/errors.ts";
import type { UnreadableItem } from "../api/pages.ts";
import { PROVIDER } from "../config/invalid-config.ts";
import type { ServerPorts } from "./addresses.ts";
import { isLabelValue, labelValue } from "./facts.ts";
import {
  flavorSchema,
  networkSchema,
  PORT_FIELDS,
  type Port,
  portSchema,
  type Server,
  serverSchema,
} from "./server.ts";

/** The servers of a listing, and those in it that could not be read. */
export interface ServerListing extends Omit<ApiItems<Server>, "requestId"> {
  readonly requestId: string | undefined;
  readonly unreadable: readonly UnreadableItem[];
}

/** The requests that instances need, within one context. All throw ProviderError. */
export class InstanceReads {
  readonly #client: OpenStackClient;
  readonly #context: CallContext;
  readonly #warn: (message: string) => void;
  readonly #types = new Map<string, Promise<string>>();

  constructor(client: OpenStackClient, context: CallContext, warn: (message: string) => void) {
    this.#client = client;
    this.#context = context;
    this.#warn = warn;
  }

  /** Reads one server; only NotFound from here means that a server is gone. */
  async server(
    id: string,
  ): Promise<{ readonly server: Server; readonly requestId: string | undefined }> {
    const { value, requestId } = await this.#client.request({
      ...{ service: "compute", path: path`/servers/${id}`, operation: "server_get", target: id },
      ...{ schema: z.object({ server: serverSchema }), context: this.#context },
    });
    return { ...value, requestId };
  }

  /** Lists our project's servers, or those of one name: Nova treats it as a regular expression, so the results have to be compared. */
  async servers(name?: string): Promise<ServerListing> {
    const unreadable: UnreadableItem[] = [];
    const listing = await this.#client.listAll({
      ...{ service: "compute", path: "/servers/detail", operation: "server_list" },
      ...{
        target: name ?? "all",
        collection: "servers",
        item: serverSchema,
        context: this.#context,
      },
      query: { name: name === undefined ? undefined : `^${escaped(name)}$` },
      onUnreadable: (item) => unreadable.push(item),
    });
    return { items: listing.items, requestId: listing.requestId, unreadable };
  }

  /** Reports whether the project has any server at all. */
  async showsAny(): Promise<boolean> {
    const { value } = await this.#client.request({
      ...{ service: "compute", path: "/servers", query: { limit: 1 }, operation: "server_list" },
      ...{
        target: "any",
        schema: z.object({ servers: z.array(z.unknown()) }),
        context: this.#context,
      },
    });
    return value.servers.length > 0;
  }

  /** Lists the ports of these servers, or of all in one listing. */
  async ports(
    servers: readonly Server[],
    from: "each" | "all",
  ): Promise<ReadonlyMap<string, ServerPorts>> {
    const query = from === "all" ? {} : { device_id: servers.map(({ id }) => id) };
    const listed = servers.length === 0 ? [] : await this.#listPorts(query);
    const byDevice = new Map<string, Port[]>(servers.map(({ id }) => [id, []]));
    for (const port of listed) byDevice.get(port.device_id ?? "")?.push(port);
    const ported = [...byDevice].map(([id, ports]) => ({ id, ports }));
    const subPorts = await this.#subPorts(
      ported.flatMap(({ ports }) => ports),
      listed,
    );
    return new Map(
      ported.map(({ id, ports }) => [
        id,
        { ports, subPorts: ports.flatMap(subPortIds).flatMap((sub) => subPorts.get(sub) ?? []) },
      ]),
    );
  }

  /** Returns the name of a server's flavor, or its id if the name is not a valid label value. Throws ProviderError if it has neither. */
  async typeOf(server: Server): Promise<string> {
    const { id, original_name: name } = server.flavor ?? {};
    if (name && isLabelValue(name)) return name;
    const key = id ?? name;
    if (!key) throw withoutFlavor(server);
    const read = this.#types.get(key) ?? (id ? this.#flavorName(id) : this.#flavorId(key));
    this.#types.set(key, read);
    return read;
  }

  async #flavorName(id: string): Promise<string> {
    try {
      const { value } = await this.#client.request({
        ...{ service: "compute", path: path`/flavors/${id}`, operation: "flavor_get", target: id },
        ...{ schema: z.object({ flavor: flavorSchema }), context: this.#context },
      });
      return isLabelValue(value.flavor.name) ? value.flavor.name : id;
    } catch (error) {
      if (isNotFound(error)) return id;
      throw error;
    }
  }

  /** Newer servers contain only the name of their flavor, which may not be a valid label value. */
  async #flavorId(name: string): Promise<string> {
    const { items } = await this.#client.listAll({
      ...{ service: "compute", path: "/flavors", operation: "flavor_list", target: "all" },
      ...{ collection: "flavors", item: flavorSchema, context: this.#context },
    });
    return items.find((flavor) => flavor.name === name)?.id ?? labelValue(name);
  }

  async #listPorts(query: Readonly<Record<string, readonly string[]>>): Promise<readonly Port[]> {
    const { items } = await this.#client.listAll({
      ...{ service: "network", path: "/ports", operation: "port_list", target: "all" },
      ...{ collection: "ports", item: portSchema, context: this.#context },
      query: { fields: PORT_FIELDS, ...query },
    });
    return items;
  }

  /** Returns trunk subports with their networks' names. Servers have their other addresses without them, so a failure only warns. */
  async #subPorts(
    ports: readonly Port[],
    listed: readonly Port[],
  ): Promise<ReadonlyMap<string, ServerPorts["subPorts"][number]>> {
    const ids = [...new Set(ports.flatMap(subPortIds))];
    if (ids.length === 0) return new Map();
    try {
      const known = listed.filter(({ id }) => ids.includes(id));
      const missing = ids.filter((id) => !known.some((port) => port.id === id));
      const below = [
        ...known,
        ...(missing.length === 0 ? [] : await this.#listPorts({ id: missing })),
      ];
      const names = await this.#networkNames(below.flatMap(({ network_id }) => network_id ?? []));
      return new Map(
        below.flatMap((port) => {
          const network = names.get(port.network_id ?? "");
          return network === undefined ? [] : [[port.id, { port, network }] as const];
        }),
      );
    } catch (error) {
      this.#context.signal.throwIfAborted();
      if (!isProviderError(error)) throw error;
      this.#warn(`The sub-ports of ${ids.length} trunk ports are left out: ${error.message}`);
      return new Map();
    }
  }

  async #networkNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.#client.listAll({
      ...{ service: "network", path: "/networks", operation: "network_list", target: "named" },
      ...{ collection: "networks", item: networkSchema, context: this.#context },
      query: { id: [...new Set(ids)], fields: ["id", "name"] },
    });
    return new Map(items.map(({ id, name }) => [id, name]));
  }
}

function withoutFlavor({ id }: Server): ProviderError {
  const message = `The server ${id} has no flavor, so its instance type is not known.`;
  return new ProviderError("Unavailable", message, {
    provider: PROVIDER,
    operation: "server_get",
    target: id,
  });
}

function subPortIds({ trunk_details }: Port): readonly string[] {
  return trunk_details?.sub_ports.map(({ port_id }) => port_id) ?? [];
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
