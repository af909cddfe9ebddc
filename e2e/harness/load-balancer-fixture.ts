import { rowsOf } from "./database.ts";
import {
  allLoadBalancers,
  CLUSTER_TAG,
  editLoadBalancer,
  type LoadBalancer,
  loadBalancersOf,
  SERVICE_TAG,
  SERVICE_UID_TAG,
} from "./load-balancers.ts";
import type { Product } from "./product.ts";
import { startProduct } from "./product.ts";
import { SERVICES, type Service } from "./service.ts";
import { demand, eventually } from "./wait.ts";

const EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers";
const HELD = "cloudwright.io/hold";

/** Services whose load balancers are in different states, for pages to show. */
export interface LoadBalancerFixture {
  /** Healthy, with two listeners; one node is excluded. */
  readonly well: string;
  /** Held by an annotation, and changed in the cloud by somebody else. */
  readonly drifted: string;
  /** Requests something that the cloud does not offer. */
  readonly stuck: string;
  /** Its load balancer's name is taken by an unmarked load balancer with this id. */
  readonly unowned: { readonly service: string; readonly balancer: string };
}

/** Starts the product with a load balancer of its cluster that has no Service, as an earlier controller might have left one. */
export async function startWithOrphan(
  args: readonly string[],
): Promise<{ readonly product: Product; readonly orphan: string }> {
  const first = await startProduct(args);
  const { metadata } = await first.kube.get("/api/v1/namespaces/kube-system");
  const tags = {
    [CLUSTER_TAG]: String(metadata.uid),
    [SERVICE_UID_TAG]: "00000000-0000-4000-8000-0000000000aa",
    [SERVICE_TAG]: "shop/left-behind",
  };
  const orphan = await createLoadBalancer(first, { name: "left-behind", tags });
  await first.stop({ keep: true });
  // A controller observes everything when it starts.
  return { product: await startProduct(args, first.dataDir), orphan: orphan.id };
}

export async function makeLoadBalancerFixture(
  product: Product,
  nodes: number,
): Promise<LoadBalancerFixture> {
  const { kube, cloud } = product;
  await untilReady(product, nodes);
  await kube.patch("/api/v1/nodes/node-1", "merge", {
    metadata: { labels: { [EXCLUDED]: "true" } },
  });
  await createService(product, "web", { ports: [port("http", 80), port("https", 443)] });
  await createService(product, "api");
  await makeStuckService(product, "intranet");
  for (const name of ["web", "api"]) await untilPublished(product, name);
  const loadBalancer = await createUnowned(product, "legacy");

  await hold(product, "api", "INC-91: under observation");
  await untilRecorded(product, "default/api", "state = 'held'");
  const [api] = await loadBalancersOf(cloud, "default/api");
  demand(api !== undefined, "the cloud has no load balancer of default/api");
  await editLoadBalancer(cloud, api.id, { sourceRanges: ["10.0.0.0/8"] });
  await untilObservedAgain(product, "api");
  return {
    well: "default/web",
    drifted: "default/api",
    stuck: "default/intranet",
    unowned: { service: "default/legacy", balancer: loadBalancer },
  };
}

/** Creates a Service that requests something that the cloud does not offer. */
export function makeStuckService(product: Product, name: string): Promise<Service> {
  return createService(product, name, {
    annotations: { "sandbox.cloudwright.io/internal": "perhaps" },
  });
}

/**
 * Creates a load balancer like one left by an earlier manager: with the name of the Service's load balancer, but without an owner.
 * `more` are additional listeners.
 */
export async function createUnowned(
  product: Product,
  name: string,
  more: LoadBalancer["listeners"] = [],
): Promise<string> {
  const service = await createService(product, name, { type: "ClusterIP" });
  const cloudName = `a${String(service.metadata.uid).replaceAll("-", "")}`.slice(0, 32);
  const { id } = await createLoadBalancer(product, { name: cloudName, more });
  await product.kube.patch(`${SERVICES}/${name}`, "merge", { spec: { type: "LoadBalancer" } });
  return id;
}

interface ServiceOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly ports?: readonly object[];
}

function createService(
  { kube }: Product,
  name: string,
  { annotations = {}, ...spec }: ServiceOptions = {},
): Promise<Service> {
  return kube.create<Service>(SERVICES, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, annotations },
    spec: { type: "LoadBalancer", selector: { app: name }, ports: [port("http", 80)], ...spec },
  });
}

function port(name: string, number: number) {
  return { name, protocol: "TCP", port: number, targetPort: 8080 };
}

interface MadeLoadBalancer {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly more?: LoadBalancer["listeners"];
}

function createLoadBalancer(
  { cloud }: Product,
  { name, tags = {}, more = [] }: MadeLoadBalancer,
): Promise<LoadBalancer> {
  return cloud.v1<LoadBalancer>("POST", "/v1/load-balancers", {
    name,
    tags,
    listeners: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }, ...more],
    members: [],
  });
}

async function untilPublished({ kube }: Product, name: string): Promise<void> {
  await eventually(
    async () => {
      const { status } = await kube.get<Service>(`${SERVICES}/${name}`);
      demand((status.loadBalancer?.ingress ?? []).length > 0, `${name} has no address yet`);
    },
    { withinMs: 60_000 },
  );
}

/** Waits until all nodes are initialised and in the ledger. */
export async function untilReady({ endpoints }: Product, nodes: number): Promise<void> {
  await eventually(
    async () => {
      const sql = "SELECT FROM all_states WHERE kind = 'Node' AND state = 'ok'";
      demand((await rowsOf(endpoints.databaseUrl, sql)).length === nodes, "nodes are missing");
    },
    { withinMs: 120_000 },
  );
}

function hold({ kube }: Product, name: string, why: string): Promise<unknown> {
  return kube.patch(`${SERVICES}/${name}`, "merge", { metadata: { annotations: { [HELD]: why } } });
}

async function untilRecorded(product: Product, service: string, what: string): Promise<void> {
  await eventually(() => demandRecorded(product, service, what), { withinMs: 60_000 });
}

async function demandRecorded(
  { endpoints }: Product,
  service: string,
  what: string,
): Promise<void> {
  const sql = `SELECT FROM all_states WHERE kind = 'Service' AND name = $1 AND ${what}`;
  const rows = await rowsOf(endpoints.databaseUrl, sql, [service]);
  demand(rows.length === 1, `${service} is not recorded with ${what}`);
}

/** Changes a Service repeatedly until its load balancer is observed again, because a recent observation may be reused. */
async function untilObservedAgain(product: Product, name: string): Promise<void> {
  await eventually(
    async () => {
      await hold(product, name, `INC-91: under observation since ${new Date().toISOString()}`);
      const preview = () => demandRecorded(product, `default/${name}`, "drift = 'drifted'");
      await eventually(preview, { withinMs: 3_000 });
    },
    { withinMs: 60_000 },
  );
}

/** Waits until the load balancer is deleted in the cloud. */
export async function untilRemoved({ cloud }: Product, id: string): Promise<void> {
  await eventually(
    async () => {
      const there = (await allLoadBalancers(cloud)).some((loadBalancer) => loadBalancer.id === id);
      demand(!there, `${id} is still there`);
    },
    { withinMs: 30_000 },
  );
}
