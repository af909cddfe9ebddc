import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "../../harness/kube.ts";
import type { Service } from "../../harness/service.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import { createNode, initialised } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { inLedger } from "../service/evidence.ts";
import {
  createService,
  deleteService,
  ingressOf,
  seenService,
  served,
  serviceGone,
} from "../service/objects.ts";
import { upstreamNameOf } from "./services.ts";
import { openUpstreamCloud, type UpstreamCloud } from "./upstream-manager.ts";

export const POD_CIDR = "10.120.0.0/16";
const RANGES = { "node-0": "10.120.210.0/24", "node-1": "10.120.211.0/24" } as const;
export const NODES = Object.entries(RANGES);
/** Calls that create, change or delete a load balancer or a route. */
const CHANGES = ["lb.create", "lb.update", "lb.delete", "routes.create", "routes.delete"] as const;

/** Rows T-10 and T-11: upstream's own manager ran before us, and runs again after us. */
export const TAKEOVER_FROM_UPSTREAM: readonly Scenario[] = isolatedRows({
  "T-10 what upstream's manager made is taken over without a change in the cloud, and upstream goes on with it afterwards":
    async (env) => {
      const cloud = await openUpstreamCloud(env, NODES.length);
      const names = ["t-10-a", "t-10-b", "t-10-c"] as const;
      const upstream = await cloud.startManager({ podCidr: POD_CIDR });
      await joinNodes(env);
      for (const name of names) await createService(env, name);
      const before = await settledBy(env, cloud, names);
      await reported(env, cloud, "upstream made it");
      await upstream.stop();

      const ours = await startOurs(env, cloud);
      for (const name of names) await inLedger(env, name, { code: "BalancerInStep" });
      await nodesInSync(env);
      same(await snapshot(env, cloud, names), before, "what there is after the takeover");
      await reported(env, cloud, "ours took it over");
      await deleteService(env, "t-10-a");
      await serviceGone(env, "t-10-a");
      same(await loadBalancer(cloud, before, "t-10-a"), undefined, "the load balancer of t-10-a");
      await reported(env, cloud, "ours removed t-10-a");
      await ours.stop();

      const left = names.slice(1);
      const kept = await snapshot(env, cloud, left);
      await cloud.startManager({ podCidr: POD_CIDR });
      await deleteService(env, "t-10-b");
      await serviceGone(env, "t-10-b", LEASE_MS);
      const after = await snapshot(env, cloud, ["t-10-c"]);
      same(after.balancers, { "t-10-c": kept.balancers["t-10-c"] }, "the one that stays");
      same(after.routes, kept.routes, "the routes");
      await deleteService(env, "t-10-c");
      await serviceGone(env, "t-10-c");
      for (const [name] of NODES) await env.kube.delete(`/api/v1/nodes/${name}`);
      await eventually(async () => same(await routes(cloud), [], "the routes left"));
      for (const name of names)
        same(await loadBalancer(cloud, before, name), undefined, `the load balancer of ${name}`);
      await reported(env, cloud, "upstream removed the rest");
    },
  "T-11 --adopt=report is refused with a provider whose names are the only marks, as nothing distinguishes what upstream made from what we made":
    async (env) => {
      const cloud = await openUpstreamCloud(env, 1);
      const replica = await env.launch({
        cloudConfig: cloud.cloudConfig,
        flags: { ...flagsFor(cloud), "--adopt": "report" },
      });
      same(await replica.ended, 1, "the exit code");
      demand(
        replica.output().includes("--adopt=report"),
        `it does not say why: ${replica.output()}`,
      );
    },
});

/** The Lease of a stopped manager is free only after it has expired. */
export const LEASE_MS = 60_000;

function flagsFor({ plugin }: UpstreamCloud) {
  return {
    "--cloud-provider": plugin,
    "--configure-cloud-routes": "true",
    "--cluster-cidr": POD_CIDR,
    "--load-balancer-drift-period": "2s",
  };
}

function startOurs(env: IsolatedEnvironment, cloud: UpstreamCloud) {
  return env.start({ cloudConfig: cloud.cloudConfig, flags: flagsFor(cloud) });
}

export async function joinNodes(env: IsolatedEnvironment): Promise<void> {
  for (const [name, cidr] of NODES) {
    env.after(() => env.kube.delete(`/api/v1/nodes/${name}`).catch(() => undefined));
    await createNode(env, name, { podCIDRs: [cidr], ready: "True" });
    await initialised(env, name, LEASE_MS);
  }
}

export interface Snapshot {
  readonly balancers: Readonly<Record<string, Record<string, unknown> | undefined>>;
  readonly addresses: readonly (readonly (string | undefined)[])[];
  readonly routes: readonly string[];
  /** Names of the load balancers, by Service. */
  readonly names: Readonly<Record<string, string>>;
  readonly changes: readonly (number | undefined)[];
}

/** Waits until every Service and every Node has what it needs. */
export async function settledBy(
  env: IsolatedEnvironment,
  cloud: UpstreamCloud,
  names: readonly string[],
): Promise<Snapshot> {
  for (const name of names) await served(env, name, LEASE_MS);
  return eventually(async () => {
    const now = await snapshot(env, cloud, names);
    same(now.routes.length, NODES.length, "the routes");
    for (const name of names)
      same(
        now.balancers[name]?.targets,
        NODES.map(([node]) => node),
        `the targets of ${name}`,
      );
    return now;
  });
}

export async function snapshot(
  env: IsolatedEnvironment,
  cloud: UpstreamCloud,
  services: readonly string[],
): Promise<Snapshot> {
  const found = services.map((name) => seenService(env, name));
  const names = Object.fromEntries(found.map((one) => [one.metadata.name, upstreamNameOf(one)]));
  const loadBalancers = await Promise.all(
    found.map(async (one) => {
      const answer = await cloud.ask("lb.get", { name: upstreamNameOf(one) });
      return [one.metadata.name, answer?.loadBalancer as Record<string, unknown>] as const;
    }),
  );
  const routesThere = await routes(cloud);
  // Read last, so that each change seen above is counted as well.
  const counts = await cloud.counts();
  return {
    balancers: Object.fromEntries(loadBalancers),
    addresses: found.map((one: Service) => ingressOf(one).map(({ ip }) => ip)),
    routes: routesThere,
    names,
    changes: CHANGES.map((operation) => counts[operation]),
  };
}

async function loadBalancer(cloud: UpstreamCloud, { names }: Snapshot, service: string) {
  const answer = await cloud.ask("lb.get", { name: names[service] });
  return answer?.loadBalancer;
}

async function routes(cloud: UpstreamCloud): Promise<readonly string[]> {
  const answer = await cloud.ask("routes.list");
  const all = (answer?.routes ?? []) as readonly { readonly name: string }[];
  return all.map(({ name }) => name).sort();
}

async function nodesInSync(env: IsolatedEnvironment): Promise<void> {
  await eventually(async () => {
    for (const [name] of NODES) {
      const runs = await env.history(["--object", name, "--controller", "node-route-controller"]);
      demand(
        runs.some(({ reason }) => reason?.code === "RouteInStep"),
        `no run says that the routes of ${name} are in sync`,
      );
    }
  });
}

/** Records what kubectl and the cloud show then, for reading; stored beside the row's logs. */
async function reported(
  env: IsolatedEnvironment,
  cloud: UpstreamCloud,
  when: string,
): Promise<void> {
  const mine = env.services.all().filter(({ metadata }) => metadata.name.startsWith(env.name));
  const nodes = await Promise.all(
    NODES.map(async ([name]) => {
      const node = await env.kube.get<Node>(`/api/v1/nodes/${name}`).catch(() => undefined);
      const found = node?.status.conditions?.find(({ type }) => type === "NetworkUnavailable");
      return `  node ${name} NetworkUnavailable=${found?.status ?? "gone"}`;
    }),
  );
  const lines = [
    `# ${when}`,
    ...mine.map(
      (one) =>
        `  service ${one.metadata.name} ${ingressOf(one).map(({ ip }) => ip)} finalizers=${one.metadata.finalizers ?? "none"} ${upstreamNameOf(one)}`,
    ),
    ...nodes,
    `  cloud routes: ${(await routes(cloud)).join(", ") || "none"}`,
    `  cloud calls: ${JSON.stringify(await cloud.counts())}`,
  ];
  appendFileSync(join(env.dir, "takeover.txt"), `${lines.join("\n")}\n`);
}
