import { SERVICES, type Service } from "../../harness/service.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type FakeEnvironment, type FakeRow, holds, register, untilEvent } from "./environment.ts";
import type { Mishap } from "./state.ts";

const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";
const FAILING: Mishap = { error: "out of order" };

export const serviceRows: readonly FakeRow[] = [
  row("S-01", "a Service gets its finalizer and the cloud's address", async (env, name) => {
    await made(env, name);
    same(finalizersOf(env, name), [FINALIZER], "the finalizers");
    for (const reason of ["EnsuringLoadBalancer", "EnsuredLoadBalancer"])
      await untilEvent(env, name, reason);
  }),
  row("S-04", "a deleted one is gone once its load balancer is", async (env, name) => {
    await made(env, name);
    await env.kube.delete(`${SERVICES}/${name}`);
    await gone(env, name);
  }),
  row("S-05", "one that wants none any more is let go", async (env, name) => {
    await made(env, name);
    await env.kube.patch(`${SERVICES}/${name}`, "merge", { spec: { type: "ClusterIP" } });
    await untilService(env, name, (service) => {
      same(service.metadata.finalizers ?? [], [], "the finalizers");
      same(service.status.loadBalancer?.ingress ?? [], [], "the addresses");
    });
  }),
  row("S-06", "and one that wants one later gets it", async (env, name) => {
    await create(env, name, "ClusterIP");
    await env.kube.patch(`${SERVICES}/${name}`, "merge", { spec: { type: "LoadBalancer" } });
    await addressed(env, name);
  }),
  row("S-08", "a creation that fails says why, and is tried again", async (env, name) => {
    env.cloud.befall("EnsureLoadBalancer", FAILING);
    await create(env, name);
    const { type, message } = await untilEvent(env, name, "SyncLoadBalancerFailed");
    demand(type === "Warning" && /out of order/.test(message), `it is said ${message}`);
    env.cloud.befall("EnsureLoadBalancer", undefined);
    await addressed(env, name);
  }),
  row("S-11", "while the deletion fails the Service stays", async (env, name) => {
    await made(env, name);
    await staysUntilOver(env, name, "EnsureLoadBalancerDeleted");
  }),
  row("S-12", "also while nothing is known of the load balancer", async (env, name) => {
    await made(env, name);
    await staysUntilOver(env, name, "GetLoadBalancer");
  }),
  row("S-14", "what another controller serves is left to it", async (env, name) => {
    env.cloud.befall("EnsureLoadBalancer", { elsewhere: true });
    await create(env, name);
    await untilService(env, name, () => same(finalizersOf(env, name), [FINALIZER], "finalizers"));
    await holds(env, () => {
      same(env.services.get(name)?.status.loadBalancer?.ingress ?? [], [], "the addresses");
      same(warningsOf(env, name), [], "the warnings");
    });
    env.cloud.befall("EnsureLoadBalancer", undefined);
  }),
  row("S-29", "members that cannot be changed are reported", async (env, name) => {
    await made(env, name);
    env.cloud.befall("UpdateLoadBalancer", FAILING);
    env.cloud.put("s-29-node");
    await register(env, "s-29-node");
    await untilEvent(env, name, "UpdateLoadBalancerFailed");
    env.cloud.befall("UpdateLoadBalancer", undefined);
  }),
  row("S-30", "those of another controller's load balancer are not", async (env, name) => {
    await made(env, name);
    env.cloud.befall("UpdateLoadBalancer", { elsewhere: true });
    env.cloud.put("s-30-node");
    await register(env, "s-30-node");
    await holds(env, () => same(warningsOf(env, name), [], "the warnings"));
    env.cloud.befall("UpdateLoadBalancer", undefined);
  }),
  row("S-57", "one that was never made is deleted all the same", async (env, name) => {
    env.cloud.befall("EnsureLoadBalancer", FAILING);
    await create(env, name);
    await untilEvent(env, name, "SyncLoadBalancerFailed");
    await env.kube.delete(`${SERVICES}/${name}`);
    await gone(env, name);
    env.cloud.befall("EnsureLoadBalancer", undefined);
  }),
];

/** Its Service is deleted with the row. */
function row(
  id: string,
  title: string,
  play: (env: FakeEnvironment, name: string) => Promise<unknown>,
): FakeRow {
  const name = id.toLowerCase();
  const run = async (env: FakeEnvironment) => {
    await play(env, name);
    if (env.services.get(name) === undefined) return;
    await env.kube.delete(`${SERVICES}/${name}`);
    await gone(env, name);
  };
  return { id, title, run };
}

async function create({ kube }: FakeEnvironment, name: string, type = "LoadBalancer") {
  const ports = [{ name: "http", port: 80, targetPort: 8080 }];
  await kube.create<Service>(SERVICES, {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name }, spec: { type, ports } },
  });
}

async function made(env: FakeEnvironment, name: string) {
  await create(env, name);
  await addressed(env, name);
}

async function addressed(env: FakeEnvironment, name: string) {
  await untilService(env, name, ({ status }) =>
    same(status.loadBalancer?.ingress?.[0]?.ip, "198.51.100.7", "the address"),
  );
}

async function staysUntilOver(env: FakeEnvironment, name: string, method: string) {
  env.cloud.befall(method, FAILING);
  await env.kube.delete(`${SERVICES}/${name}`);
  await untilEvent(env, name, "SyncLoadBalancerFailed");
  same(finalizersOf(env, name), [FINALIZER], "the finalizers");
  env.cloud.befall(method, undefined);
  await gone(env, name);
}

async function gone({ services }: FakeEnvironment, name: string) {
  await eventually(() => demand(services.get(name) === undefined, `${name} is still there`), {
    withinMs: 60_000,
    on: services,
  });
}

async function untilService(
  { services }: FakeEnvironment,
  name: string,
  check: (service: Service) => void,
) {
  await eventually(
    () => {
      const service = services.get(name);
      demand(service !== undefined, `${name} is not there`);
      check(service);
    },
    { withinMs: 60_000, on: services },
  );
}

function finalizersOf({ services }: FakeEnvironment, name: string): readonly string[] {
  return services.get(name)?.metadata.finalizers ?? [];
}

function warningsOf({ events }: FakeEnvironment, name: string): readonly string[] {
  return events
    .all()
    .filter(({ involvedObject, type }) => involvedObject.name === name && type === "Warning")
    .map(({ reason }) => reason);
}
