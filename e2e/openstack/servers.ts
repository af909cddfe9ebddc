import { demand, eventually } from "../harness/wait.ts";
import type { Lab } from "./lab.ts";
import type { Project } from "./project.ts";

/** A server as Nova shows it, as far as the suite looks at it. */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly addresses: Readonly<
    Record<string, readonly { readonly addr: string; readonly version: number }[]>
  >;
  readonly "OS-EXT-AZ:availability_zone": string;
}

export type Zone = "zone-a" | "zone-b";

/** The servers of a project, as somebody at the console makes and ends them. */
export class Servers {
  readonly #lab: Lab;
  readonly #project: Project;

  constructor(lab: Lab, project: Project) {
    this.#lab = lab;
    this.#project = project;
  }

  /** Resolves when it runs. `address`: the one of its IPv4 addresses, if it matters. */
  async create(name: string, zone: Zone = "zone-a", address?: string): Promise<Server> {
    const id = await this.#begin(name, { zone, count: 1, networks: this.#ownNetwork(address) });
    return this.until(id, "ACTIVE");
  }

  /**
   * So many at once, `PREFIX-0-1` and so on; resolves when all run. Neutron takes seconds for each one's port: those that are
   * `detached` have none, and an access address in its place. By turns in both zones: each has one host, which starts one after the other.
   */
  async createMany(
    prefix: string,
    count: number,
    { isDetached = false }: { isDetached?: boolean } = {},
  ): Promise<Server[]> {
    const networks = isDetached ? "none" : this.#ownNetwork();
    // Nova's own numbering; parts, as one request of very many times out.
    for (let made = 0; made < count; made += PART)
      await this.#begin(`${prefix}-${made / PART}`, {
        ...{ zone: (made / PART) % 2 === 0 ? "zone-a" : "zone-b", networks },
        count: Math.min(PART, count - made),
      });
    return eventually(
      async () => {
        const all = (await this.all()).filter(({ name }) => name.startsWith(`${prefix}-`));
        const isFailed = all.some(({ status }) => status === "ERROR");
        if (isFailed) throw new Error(`a server of ${prefix} went to ERROR`);
        const active = all.filter(({ status }) => status === "ACTIVE");
        demand(active.length === count, `${active.length} of ${count} servers run`);
        return active;
      },
      { withinMs: 1_200_000 },
    );
  }

  async all(): Promise<Server[]> {
    const path = "/servers/detail?limit=1000";
    return (await this.#project.console.compute.get<{ servers: Server[] }>(path)).servers;
  }

  async named(name: string): Promise<Server | undefined> {
    return (await this.all()).find((server) => server.name === name);
  }

  /** Resolves when it is gone. */
  async remove(id: string): Promise<void> {
    await this.#project.console.compute.remove(`/servers/${id}`);
    await eventually(
      async () => demand(!(await this.all()).some((each) => each.id === id), `${id} is there`),
      { withinMs: SERVER_MS },
    );
  }

  async act(id: string, action: "os-stop" | "os-start"): Promise<Server> {
    await this.#project.console.compute.call("POST", `/servers/${id}/action`, { [action]: null });
    return this.until(id, action === "os-stop" ? "SHUTOFF" : "ACTIVE");
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#project.console.compute.call("PUT", `/servers/${id}`, { server: { name } });
  }

  until(id: string, status: string): Promise<Server> {
    return eventually(
      async () => {
        const path = `/servers/${id}`;
        const { server } = await this.#project.console.compute.get<{ server: Server }>(path);
        if (server.status === "ERROR") throw new Error(`the server ${server.name} went to ERROR`);
        demand(server.status === status, `the server ${server.name} is ${server.status}`);
        return server;
      },
      { withinMs: SERVER_MS },
    );
  }

  #ownNetwork(address?: string): Networks {
    const fixed = address === undefined ? {} : { fixed_ip: address };
    return [{ uuid: this.#project.networkId, ...fixed }];
  }

  async #begin(name: string, { zone, count, networks }: Beginning): Promise<string> {
    const { ids } = this.#lab;
    const { server } = await this.#project.console.compute.call<{ server: { id: string } }>(
      "POST",
      "/servers",
      {
        server: {
          ...{ name, flavorRef: ids["flavor_m1.tiny"], imageRef: ids.image_id },
          ...{ availability_zone: zone, min_count: count },
          ...{ networks, ...(networks === "none" ? { accessIPv4: "198.51.100.7" } : {}) },
        },
      },
    );
    return server.id;
  }
}

const PART = 20;
/** The lab begins, stops and ends servers one after another: beside many others one waits for minutes. */
const SERVER_MS = 280_000;

type Networks = "none" | readonly { readonly uuid: string; readonly fixed_ip?: string }[];

interface Beginning {
  readonly zone: Zone;
  readonly count: number;
  readonly networks: Networks;
}

/** Its first IPv4 address on the project's network. */
export function addressOf({ name, addresses }: Pick<Server, "name" | "addresses">): string {
  const first = Object.values(addresses)
    .flat()
    .find(({ version }) => version === 4);
  if (first === undefined) throw new Error(`the server ${name} has no address`);
  return first.addr;
}
