import { rowsOf } from "./database.ts";
import type { KubeObject } from "./kube.ts";
import { createUnowned, untilReady } from "./load-balancer-fixture.ts";
import { allLoadBalancers, type LoadBalancer } from "./load-balancers.ts";
import type { Product } from "./product.ts";
import { putRoute } from "./routes.ts";
import { SERVICES } from "./service.ts";
import { demand, eventually } from "./wait.ts";

/** What an earlier manager has left in the cloud of a running product, for pages to show. */
export interface TakeoverFixture {
  /** Services whose load balancer has one proof, with its id. */
  readonly waiting: readonly { readonly service: string; readonly balancer: string }[];
  /** Likewise, but the load balancer has a listener that its Service does not need. */
  readonly shared: { readonly service: string; readonly balancer: string };
  /** A Service whose load balancer had two proofs. */
  readonly adopted: { readonly service: string; readonly balancer: string };
  /** Nodes whose machines are the targets of routes outside their pod ranges, with the routes' ids. */
  readonly routes: readonly { readonly node: string; readonly route: string }[];
}

const DNS = { name: "dns", protocol: "UDP", port: 53, nodePort: 30_053 };

/** Creates the fixture and waits until all of it is in the ledger. The first two nodes get no route. */
export async function makeTakeoverFixture(
  product: Product,
  nodes: number,
): Promise<TakeoverFixture> {
  await untilReady(product, nodes);
  const adopted = await createUnowned(product, "moved");
  await publish(product, "moved", await activeLoadBalancer(product, adopted));
  const waiting = ["legacy-api", "legacy-web"].map(async (name) => ({
    service: `default/${name}`,
    balancer: await createUnowned(product, name),
  }));
  const fixture: TakeoverFixture = {
    waiting: await Promise.all(waiting),
    shared: {
      service: "default/legacy-shared",
      balancer: await createUnowned(product, "legacy-shared", [DNS]),
    },
    adopted: { service: "default/moved", balancer: adopted },
    routes: [await leftRoute(product, "node-3"), await leftRoute(product, "node-4")],
  };
  await untilKnown(product, fixture);
  return fixture;
}

async function activeLoadBalancer({ cloud }: Product, id: string): Promise<LoadBalancer> {
  return eventually(
    async () => {
      const now = (await allLoadBalancers(cloud)).find((one) => one.id === id);
      demand(now?.state === "active", `the load balancer ${id} is ${now?.state}`);
      return now;
    },
    { withinMs: 60_000 },
  );
}

/**
 * Publishes the load balancer's address, as the earlier manager did: its name is one proof, the published address the other. A
 * change of status does not trigger an observation, so the Service is changed until the load balancer is adopted.
 */
async function publish(product: Product, name: string, { address }: LoadBalancer): Promise<void> {
  const { kube, endpoints } = product;
  await kube.patch(`${SERVICES}/${name}/status`, "merge", {
    status: { loadBalancer: { ingress: [{ ip: address }] } },
  });
  const sql = "SELECT FROM audit_entries WHERE action = 'balancer.adopt' AND object_name = $1";
  await eventually(
    async () => {
      const annotations = { "example.org/looked-at": new Date().toISOString() };
      await kube.patch(`${SERVICES}/${name}`, "merge", { metadata: { annotations } });
      const isAdopted = async () =>
        demand((await rowsOf(endpoints.databaseUrl, sql, [name])).length > 0, `${name} waits`);
      await eventually(isAdopted, { withinMs: 3_000 });
    },
    { withinMs: 60_000 },
  );
}

interface MachineNode extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

/** Creates a route to the node's machine, but for none of its pod ranges. */
async function leftRoute({ cloud, kube }: Product, node: string) {
  const { spec } = await kube.get<MachineNode>(`/api/v1/nodes/${node}`);
  const instanceId = spec?.providerID?.split("/").at(-1) ?? "";
  const last = node.split("-").at(-1);
  const { id } = await putRoute(cloud, { destination: `10.159.20${last}.0/24`, instanceId });
  return { node, route: id };
}

async function untilKnown(
  { endpoints }: Product,
  { waiting, routes }: TakeoverFixture,
): Promise<void> {
  const sql = `SELECT FROM all_states
                WHERE reason_code = 'BalancerUnowned' OR (kind = 'NodeRoutes' AND reason_code = 'RouteUnowned')`;
  const wanted = waiting.length + 1 + routes.length;
  await eventually(
    async () => {
      const { length } = await rowsOf(endpoints.databaseUrl, sql);
      demand(length === wanted, `${length} of ${wanted} wait`);
    },
    { withinMs: 90_000 },
  );
}
