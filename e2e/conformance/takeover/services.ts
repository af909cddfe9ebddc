import {
  allLoadBalancers,
  CLUSTER_TAG,
  dropLoadBalancer,
  type LoadBalancer,
  SERVICE_UID_TAG,
} from "../../harness/load-balancers.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  type IsolatedEnvironment,
  isolatedRow,
  isolatedRows,
  type Replica,
  type ReplicaOptions,
} from "../environment/isolated.ts";
import type { Environment, Scenario } from "../environment/scenario.ts";
import { notReported, reported, warnedOf } from "../service/evidence.ts";
import {
  createMember,
  createService,
  deleteService,
  FINALIZER,
  finalizersOf,
  ingressOf,
  seenService,
  serviceGone,
  untilReady,
} from "../service/objects.ts";

const OTHER_CLUSTER = "4e5b0000-0000-4000-8000-000000000000";
/** Longer than two comparisons of a controller with the flags of `start`. */
const QUIET_MS = 5_000;

/** Rows T-01 and following: load balancers that upstream's manager, or somebody else, created before us. */
export const TAKEOVER_OF_SERVICES: readonly Scenario[] = [
  ...isolatedRows({
    "T-01 a load balancer with upstream's name and the published address is adopted: a mark, and nothing else; it goes with its Service":
      async (env) => {
        const { balancer: loadBalancer } = await leftByUpstream(env, env.name);
        await start(env);
        await untilAdopted(env, loadBalancer);
        await reported(env, env.name, [
          "AdoptedLoadBalancer",
          loadBalancer.id,
          loadBalancer.address,
        ]);
        const now = await onlyLoadBalancer(env);
        same({ ...now, tags: {} }, { ...loadBalancer, tags: {} }, "all of it but its tags");
        same(ingressOf(seenService(env, env.name))[0]?.ip, loadBalancer.address, "the address");
        await deleteService(env, env.name);
        await serviceGone(env, env.name);
        same((await allLoadBalancers(env.cloud)).length, 0, "the load balancers left in the cloud");
        await reported(env, env.name, ["DeletedLoadBalancer"]);
      },
    "T-02 a Service that was deleted before the takeover loses the load balancer that is its own by two proofs, and then its finalizer":
      async (env) => {
        const { balancer: loadBalancer } = await leftByUpstream(env, env.name);
        await deleteService(env, env.name);
        const isFree = () => finalizersOf(seenService(env, env.name)).length === 0;
        demand(!isFree(), "nothing holds the Service");
        await start(env);
        await serviceGone(env, env.name);
        same(await ids(env), [], `the load balancers left in the cloud (${loadBalancer.id})`);
        await reported(env, env.name, ["DeletedLoadBalancer"]);
      },
  }),
  ...oneProof(),
  ...isolatedRows({
    "T-05 --adopt=report lists what is the Service's own by two proofs and touches nothing, not even at its deletion":
      async (env) => {
        const left = await leftByUpstream(env, env.name);
        await start(env, { flags: { "--adopt": "report" } });
        const why = await untilReady(env, env.name, "False");
        demand(why.includes("--adopt=report"), `the condition does not say why: ${why}`);
        await staysUntouched(env, left);
        await deleteService(env, env.name);
        await keepsService(env, left);
      },
    "T-06 what carries another cluster's mark is refused, whatever its name and address say":
      async (env) => {
        const tags = {
          [CLUSTER_TAG]: OTHER_CLUSTER,
          [SERVICE_UID_TAG]: "4e5b0000-0000-4000-8000-000000000001",
        };
        const left = await leftByUpstream(env, env.name, { tags });
        await start(env);
        const why = await untilReady(env, env.name, "False");
        demand(why.includes(OTHER_CLUSTER), `the condition does not name the other owner: ${why}`);
        await staysUntouched(env, left);
        await deleteService(env, env.name);
        await keepsService(env, left);
      },
  }),
];

/** With only one proof it waits, and keeps its Service as long as it exists. */
function oneProof(): readonly Scenario[] {
  const cases = [
    ["T-03", "upstream's name but not the address", { isPublished: false }, "address"],
    ["T-04", "the published address but not upstream's name", { name: "by-hand" }, "name"],
  ] as const;
  return cases.map(([id, what, made, missing]) =>
    isolatedRow(
      id,
      `a load balancer that has ${what} waits for consent; its Service keeps the finalizer until it is gone, and no success is announced`,
      async (env) => {
        const left = await leftByUpstream(env, env.name, made);
        await start(env);
        const why = await untilReady(env, env.name, "False");
        demand(why.includes(left.balancer.id), `the condition does not name it: ${why}`);
        demand(why.includes(missing), `the condition does not name the missing proof: ${why}`);
        await staysUntouched(env, left);
        await deleteService(env, env.name);
        await keepsService(env, left);
        await dropLoadBalancer(env.cloud, left.balancer.id);
        await serviceGone(env, env.name);
      },
    ),
  );
}

/** Runs only the service loop, with a drift period of 2 s. */
export function start(env: IsolatedEnvironment, options: ReplicaOptions = {}): Promise<Replica> {
  return env.start({
    ...options,
    flags: {
      "--controllers": "service-lb-controller",
      "--leader-elect": "false",
      "--load-balancer-drift-period": "2s",
      ...options.flags,
    },
  });
}

async function ids(env: IsolatedEnvironment): Promise<readonly string[]> {
  return (await allLoadBalancers(env.cloud)).map(({ id }) => id);
}

export async function onlyLoadBalancer(env: IsolatedEnvironment): Promise<LoadBalancer> {
  const all = await allLoadBalancers(env.cloud);
  const [only] = all;
  demand(only !== undefined && all.length === 1, `the cloud has ${all.length} load balancers`);
  return only;
}

/** Waits until the same load balancer, still the only one, has the mark of cluster and Service. */
export async function untilAdopted(env: IsolatedEnvironment, { id }: LoadBalancer): Promise<void> {
  const uid = seenService(env, env.name).metadata.uid ?? "";
  await eventually(async () => {
    const now = await onlyLoadBalancer(env);
    same(now.id, id, "the load balancer");
    same(now.tags[SERVICE_UID_TAG], uid, "the Service in its mark");
  });
}

/** Checks that neither the cloud nor the Service's status changes. */
export async function staysUntouched(
  env: IsolatedEnvironment,
  { service, balancer: loadBalancer }: Left,
): Promise<void> {
  await always(
    async () => {
      same(await onlyLoadBalancer(env), loadBalancer, "the load balancer");
      const now = ingressOf(seenService(env, env.name)).map(({ ip }) => ip);
      same(
        now,
        ingressOf(service).map(({ ip }) => ip),
        "the address",
      );
    },
    { forMs: QUIET_MS },
  );
}

/** Checks that a deleted Service stays, with a Warning that says why, and that no success is announced. */
async function keepsService(
  env: IsolatedEnvironment,
  { balancer: loadBalancer }: Left,
): Promise<void> {
  await warnedOf(env, env.name, ["SyncLoadBalancerFailed", loadBalancer.id, "finalizer"]);
  await always(
    async () => {
      const holds = finalizersOf(seenService(env, env.name));
      same(holds, [FINALIZER], "the finalizers");
      same(await ids(env), [loadBalancer.id], "the load balancers in the cloud");
    },
    { forMs: QUIET_MS },
  );
  notReported(env, env.name, "DeletedLoadBalancer");
}

export interface UpstreamsLeftovers {
  /** The load balancer's name, if it is not upstream's. */
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Whether the Service's status publishes the load balancer's address; true by default. */
  readonly isPublished?: boolean;
  /** Listeners in addition to the Service's. */
  readonly more?: LoadBalancer["listeners"];
}

export interface Left {
  readonly service: Service;
  readonly balancer: LoadBalancer;
}

/**
 * Creates a Service with its load balancer as left by upstream's manager: with the finalizer, the name `a` + UID (spec/60 §4), no
 * tags, a member, and the address in the Service's status. None of our controllers has run yet.
 */
export async function leftByUpstream(
  env: Environment,
  name: string,
  { name: other, tags = {}, isPublished = true, more = [] }: UpstreamsLeftovers = {},
): Promise<Left> {
  const member = await createMember(env, `${name}-node`);
  const created = await createService(env, name, { finalizers: [FINALIZER] });
  const listeners = created.spec.ports.map(({ name: port = "", protocol = "TCP", ...numbers }) => ({
    ...{ name: port, protocol, port: numbers.port, nodePort: numbers.nodePort ?? 0 },
  }));
  const { id } = await env.cloud.v1<LoadBalancer>("POST", "/v1/load-balancers", {
    name: other ?? upstreamNameOf(created),
    tags,
    listeners: [...listeners, ...more],
    members: [member],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: listeners[0]?.nodePort },
  });
  const loadBalancer = await eventually(async () => {
    const now = await env.cloud.v1<LoadBalancer>("GET", `/v1/load-balancers/${id}`);
    demand(now.state === "active", `the load balancer ${id} is ${now.state}`);
    return now;
  });
  const ingress = isPublished ? [{ ip: loadBalancer.address }] : [];
  const service = await env.kube.patch<Service>(`${SERVICES}/${name}/status`, "merge", {
    status: { loadBalancer: { ingress } },
  });
  return { service, balancer: loadBalancer };
}

/** Returns the name from upstream's cloudprovider.DefaultLoadBalancerName. */
export function upstreamNameOf({ metadata: { uid = "" } }: Service): string {
  return `a${uid.replaceAll("-", "")}`.slice(0, 32);
}
