import { type KubeFailure, View } from "../../harness/kube.ts";
import {
  allLoadBalancers,
  CLUSTER_TAG,
  type FirewallRule,
  type LoadBalancer,
  SERVICE_TAG,
  SERVICE_UID_TAG,
} from "../../harness/load-balancers.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { EXCLUDED, type Fleet, type FleetParts } from "./fleet.ts";

/** What a Service is to be served as. */
export interface Options {
  readonly port: number;
  readonly ranges: readonly string[];
  /** Without a load balancer. */
  readonly inside?: boolean;
}

/** To the cloud the same as no range at all. */
const EVERYBODY = "0.0.0.0/0";
const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";

/**
 * The Services of a fault: which there are to be, and whether the cloud has exactly the load balancers and firewall rules that
 * they ask for, each with all nodes of the fleet behind it.
 */
export class ServiceFleet {
  readonly view: View<Service>;
  readonly #context: FleetParts;
  readonly #actions = new Map<string, Options>();
  readonly #ever = new Set<string>();
  /** Those whose load balancer once had to go. */
  readonly #went = new Set<string>();
  #cluster = "";

  private constructor(parts: FleetParts, view: View<Service>) {
    this.#context = parts;
    this.view = view;
  }

  static async open(parts: FleetParts): Promise<ServiceFleet> {
    const fleet = new ServiceFleet(parts, await View.open<Service>(parts.kube, SERVICES));
    const { metadata } = await parts.kube.get("/api/v1/namespaces/kube-system");
    fleet.#cluster = metadata.uid ?? "";
    return fleet;
  }

  get names(): string[] {
    return [...this.#actions.keys()];
  }

  /** Those that are to have a load balancer. */
  get servedNames(): string[] {
    return this.names.filter((name) => this.#actions.get(name)?.inside !== true);
  }

  /** Names of all that were ever to have a load balancer. */
  get everyName(): readonly string[] {
    return [...this.#ever];
  }

  /** Whether its load balancer once had to go, as it was wanted inside, or not at all. */
  wentOnce(name: string): boolean {
    return this.#went.has(name);
  }

  /** UID of the cluster, as load balancers are marked with it. */
  get cluster(): string {
    return this.#cluster;
  }

  async create(name: string, options: Options): Promise<void> {
    this.#options(name, options);
    await patiently(() => this.#context.kube.create(SERVICES, manifest(name, options)), 409);
  }

  async change(name: string, options: Options): Promise<void> {
    this.#options(name, options);
    const { spec } = manifest(name, options);
    await patiently(() => this.#context.kube.patch(`${SERVICES}/${name}`, "merge", { spec }));
  }

  async remove(name: string): Promise<void> {
    this.#actions.delete(name);
    this.#went.add(name);
    await patiently(() => this.#context.kube.delete(`${SERVICES}/${name}`), 404);
  }

  /** Waits until cluster and cloud are as they should be, to the last firewall rule. */
  settled(nodes: Fleet, withinMs = 120_000): Promise<void> {
    return eventually(() => this.check(nodes), { withinMs });
  }

  /** Throws with what is not as it should be of this one alone. */
  async checkOne(nodes: Fleet, name: string): Promise<void> {
    this.#published(name);
    const [loadBalancer, ...more] = (await this.#loadBalancers()).filter(
      ({ tags }) => tags[SERVICE_TAG] === key(name),
    );
    demand(loadBalancer !== undefined && more.length === 0, `${name} has not just one balancer`);
    this.#right(loadBalancer, machinesOf(nodes));
  }

  /** Throws with what is not as it should be. Two load balancers for one Service are reported, too. */
  async check(nodes: Fleet): Promise<void> {
    const there = this.view.all().map(({ metadata }) => metadata.name);
    same(sorted(there.filter((name) => name !== "kubernetes")), sorted(this.names), "the Services");
    for (const name of this.names) this.#published(name);
    const loadBalancers = await this.#loadBalancers();
    const owners = loadBalancers.map(({ tags }) => tags[SERVICE_TAG]);
    same(
      sorted(owners),
      sorted(this.servedNames.map(key)),
      "the Services that have a load balancer",
    );
    const members = machinesOf(nodes);
    for (const loadBalancer of loadBalancers) this.#right(loadBalancer, members);
    await this.#rulesRight();
  }

  close(): void {
    this.view.close();
  }

  /** Of this cluster. */
  async #loadBalancers(): Promise<readonly LoadBalancer[]> {
    const all = await allLoadBalancers(this.#context.cloud);
    return all.filter(({ tags }) => tags[CLUSTER_TAG] === this.#cluster);
  }

  #options(name: string, options: Options): void {
    this.#actions.set(name, options);
    (options.inside === true ? this.#went : this.#ever).add(name);
  }

  /** What was served and is no more carries no trace of it. */
  #published(name: string): void {
    const service = this.view.get(name);
    demand(service !== undefined, `Service ${name} is not there`);
    const { finalizers = [], deletionTimestamp } = service.metadata;
    demand(deletionTimestamp === undefined, `Service ${name} is still being deleted`);
    const isServed = this.#actions.get(name)?.inside !== true;
    same(finalizers.includes(FINALIZER), isServed, `whether ${name} has the finalizer`);
    const addresses = (service.status.loadBalancer?.ingress ?? []).length;
    same(addresses, isServed ? 1 : 0, `the number of addresses of ${name}`);
  }

  #right(loadBalancer: LoadBalancer, members: readonly string[]): void {
    const name = loadBalancer.tags[SERVICE_TAG]?.split("/")[1] ?? "";
    const options = this.#actions.get(name);
    const service = this.view.get(name);
    demand(options !== undefined && service !== undefined, `${name} is not wanted`);
    const { uid } = service.metadata;
    same(loadBalancer.tags[SERVICE_UID_TAG], uid, `the UID on the load balancer of ${name}`);
    same(loadBalancer.state, "active", `the state of the load balancer of ${name}`);
    const ports = loadBalancer.listeners.map(({ port, nodePort }) => [port, nodePort]);
    const asked = service.spec.ports.map(({ port, nodePort }) => [port, nodePort]);
    same(ports, asked, `the ports of ${name}`);
    same(asked[0]?.[0], options.port, `the port that ${name} asks for`);
    const ranges = loadBalancer.sourceRanges.filter((range) => range !== EVERYBODY);
    same(sorted(ranges), sorted(options.ranges), `the source ranges of ${name}`);
    same(sorted(loadBalancer.members), members, `the members of ${name}`);
    const ingress = service.status.loadBalancer?.ingress ?? [];
    const reached = ingress.map(({ ip }) => ip);
    same(reached, [loadBalancer.address], `where ${name} is reached`);
  }

  async #rulesRight(): Promise<void> {
    const tag = encodeURIComponent(`${CLUSTER_TAG}=${this.#cluster}`);
    const rules: FirewallRule[] = [];
    let cursor = "";
    do {
      const page = await this.#context.cloud.v1<{ items: FirewallRule[]; next: string | null }>(
        "GET",
        `/v1/firewall-rules?tag=${tag}${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      rules.push(...page.items);
      cursor = page.next ?? "";
    } while (cursor !== "");
    const limited = this.servedNames.filter((name) => this.#actions.get(name)?.ranges.length !== 0);
    const owners = rules.map(({ tags }) => tags[SERVICE_TAG]);
    same(sorted(owners), sorted(limited.map(key)), "the Services that have a firewall rule");
  }
}

/** Neither a node whose machine is somebody else's nor one that is excluded is behind a load balancer. */
function machinesOf(nodes: Fleet): string[] {
  const eligible = nodes.nodes
    .all()
    .filter(({ metadata }) => !(EXCLUDED in (metadata.labels ?? {})));
  const ids = eligible.flatMap(({ spec }) => spec.providerID ?? []);
  return sorted(ids.map((id) => id.replace("sandbox://", "")));
}

function manifest(name: string, { port, ranges, inside = false }: Options) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: {
      type: inside ? "ClusterIP" : "LoadBalancer",
      selector: { app: name },
      ports: [{ name: "http", protocol: "TCP", port, targetPort: 8_080 }],
      loadBalancerSourceRanges: inside || ranges.length === 0 ? null : ranges,
    },
  };
}

function key(name: string): string {
  return `default/${name}`;
}

function sorted(texts: readonly (string | undefined)[]): string[] {
  return texts
    .map((text) => text ?? "")
    .sort((left, right) => (left < right ? -1 : Number(left > right)));
}

/** As a user does while the API server is away. An answer of this status says that an earlier try had come through. */
function patiently(work: () => Promise<unknown>, doneBy?: number): Promise<unknown> {
  return eventually(() =>
    work().catch((error: unknown) => {
      if ((error as KubeFailure).status !== doneBy) throw error;
    }),
  );
}
