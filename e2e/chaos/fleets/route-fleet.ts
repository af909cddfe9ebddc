import type { Cloud } from "../../harness/cloud.ts";
import { allRoutes, putRoute, ROUTE_CLUSTER_TAG, type Route } from "../../harness/routes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import type { Fleet, FleetParts } from "./fleet.ts";

/** The range of the pods in these faults. */
export const POD_RANGE = "10.200.0.0/16";

/** The pod ranges of a fault's nodes, and whether the cloud has exactly the routes that they ask for. */
export class RouteFleet {
  readonly #context: FleetParts;
  readonly #fleet: Fleet;
  readonly #ranges = new Map<string, string>();
  /** Ids of the routes that are none of ours. */
  readonly #foreign: ReadonlySet<string>;

  private constructor(parts: FleetParts, fleet: Fleet, foreign: ReadonlySet<string>) {
    this.#context = parts;
    this.#fleet = fleet;
    this.#foreign = foreign;
  }

  static open(parts: FleetParts, fleet: Fleet, foreign: readonly Route[]): RouteFleet {
    return new RouteFleet(parts, fleet, new Set(foreign.map(({ id }) => id)));
  }

  /** Ranges that no node has. */
  get free(): readonly string[] {
    const taken = new Set(this.#ranges.values());
    const all = Array.from({ length: 40 }, (_, index) => `10.200.${index + 1}.0/24`);
    return all.filter((range) => !taken.has(range));
  }

  /** A node joins and is given this range, as the one who gives ranges would do it. */
  async join(name: string, range: string): Promise<void> {
    this.#ranges.set(name, range);
    await this.#fleet.join([name]);
    const spec = { podCIDR: range, podCIDRs: [range] };
    await eventually(() => this.#context.kube.patch(`/api/v1/nodes/${name}`, "merge", { spec }));
  }

  /** Somebody deletes the node; answers its range. */
  async leave(name: string): Promise<string> {
    const range = this.#ranges.get(name) ?? "";
    this.#ranges.delete(name);
    await this.#fleet.deleteNodes([name]);
    return range;
  }

  /** Waits until each node has its one route and knows it, and there are no others of ours. */
  settled(withinMs = 90_000): Promise<void> {
    return eventually(() => this.check(), { withinMs });
  }

  async check(): Promise<void> {
    const routes = await allRoutes(this.#context.cloud);
    const ours = routes.filter(({ id }) => !this.#foreign.has(id));
    const there = ours.map(({ destination, instanceId }) => `${destination} ${instanceId}`);
    same(there.toSorted(), this.#wanted().toSorted(), "the routes");
    for (const name of this.#ranges.keys()) this.#isReported(name);
  }

  #wanted(): readonly string[] {
    return [...this.#ranges].map(([name, range]) => {
      const { providerID = "" } = this.#fleet.nodes.get(name)?.spec ?? {};
      return `${range} ${providerID.replace("sandbox://", "")}`;
    });
  }

  #isReported(name: string): void {
    const conditions = this.#fleet.nodes.get(name)?.status.conditions ?? [];
    const found = conditions.find(({ type }) => type === "NetworkUnavailable");
    demand(found?.reason === "RouteCreated", `${name} does not report its route: ${found?.reason}`);
  }
}

/** Routes that are none of ours: another cluster's, one of nobody, and one outside the range of the pods. */
export async function settleForeignRoutes(cloud: Cloud) {
  const { id: instanceId } = await cloud.put({ name: "stranger", managed: false });
  const theirs = { [ROUTE_CLUSTER_TAG]: "4e5b0000-0000-4000-8000-000000000000" };
  const routes = [
    await putRoute(cloud, { destination: "10.200.100.0/24", instanceId, tags: theirs }),
    await putRoute(cloud, { destination: "10.200.101.0/24", instanceId }),
    await putRoute(cloud, { destination: "10.200.102.0/24" }),
    await putRoute(cloud, { destination: "192.168.100.0/24", instanceId }),
  ];
  const ids = new Set(routes.map(({ id }) => id));
  return {
    routes,
    /** Throws when one of them is not what it was. */
    untouched: async () => {
      const now = (await allRoutes(cloud)).filter(({ id }) => ids.has(id));
      same(now, routes, "the routes that are none of ours");
    },
  };
}
