import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  type IsolatedEnvironment,
  isolatedRow,
  isolatedRows,
  type Replica,
  secondLeaseOf,
} from "../environment/isolated.ts";
import { leaderAmong, leaseOf, leasePath } from "../environment/leading.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import { row, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { CLUSTER_CIDR } from "../route/objects.ts";
import { createService, ingressOf, seenService, served, untilService } from "../service/objects.ts";
import { endsWith, runs } from "./starting.ts";

const NODE_LOOPS = ["cloud-node-controller", "cloud-node-lifecycle-controller"];
const SERVICE_LOOP = "service-lb-controller";
const DEFAULT_LEASE = "cloud-provider-extraction-migration";
const HEAD = "apiVersion: controllermanager.config.k8s.io/v1\nkind: LeaderMigrationConfiguration\n";
/** Longer than a standby's retry period. */
const QUIET_MS = 6_000;

/** Rows H-28 to H-31: controllers that migrate between this manager and kube-controller-manager (KEP-2436). */
export const MIGRATION: readonly Scenario[] = [
  ...isolatedRows({
    "H-28 a controller that moves waits for the second Lease, works under it, and the loss of either Lease ends the process":
      async (env) => {
        const lease = secondLeaseOf("H-28");
        await holdBy(env, lease, "kube-controller-manager_1");
        const replica = await startWith(env, { lease, [SERVICE_LOOP]: "*" });
        await leaderAmong([replica]);
        await nodeWorks(env);
        await createService(env, env.name);
        await unserved(env, replica);
        await runs(replica, NODE_LOOPS);
        await checks(
          replica,
          `waits for the Lease ${lease}, which kube-controller-manager_1 holds`,
        );
        await free(env, lease);
        await served(env, env.name);
        await runs(replica, [...NODE_LOOPS, SERVICE_LOOP]);
        await checks(replica, `holds the Lease ${lease}`);
        const [main, second] = [await leaseOf(env), await leaseOf(env, { name: lease })];
        same(second?.spec.holderIdentity, main?.spec.holderIdentity, "the second Lease's holder");
        await gauges(replica, [env.lease, lease]);
        await env.kube.patch(leasePath({ name: lease, namespace: "kube-system" }), "merge", {
          spec: { holderIdentity: "x" },
        });
        same(await replica.ended, 1, "the exit code");
        demand(
          replica.output().includes(`the Lease ${lease} of the leader migration was lost`),
          "it does not say which Lease it lost",
        );
        same((await leaseOf(env))?.spec.holderIdentity, "", "the main Lease's holder");
        await free(env, lease);
        await endsWithMainLease(env, lease);
      },
    "H-29 a controller that is another component's is not run here": async (env) => {
      const lease = secondLeaseOf("H-29");
      const replica = await startWith(env, { lease, service: "kube-controller-manager" });
      env.after(() => env.kube.delete(leasePath({ name: lease, namespace: "kube-system" })));
      await leaderAmong([replica]);
      await checks(replica, `holds the Lease ${lease}`);
      await createService(env, env.name);
      await nodeWorks(env);
      await unserved(env, replica);
      await runs(replica, NODE_LOOPS);
      demand(
        replica
          .output()
          .split("\n")
          .some((line) => /Not run here.*service-lb-controller/.test(line)),
        "it does not say that the service loop is not run here",
      );
    },
  }),
  row(
    "H-30",
    "a configuration that is wrong ends with 1 and says what is wrong where",
    async (env) => {
      const wrong: readonly (readonly [string, readonly string[]])[] = [
        [`${HEAD}leaderName: a\nleader: b\n`, ["has the unknown field leader: remove it"]],
        [HEAD, ["lacks the field leaderName"]],
        [`${HEAD}leaderName: a\nresourceLock: endpoints\n`, ["resourceLock", "leases"]],
        [`${HEAD}leaderName: a\nleaderName: b\n`, ["unique"]],
        [`${HEAD}leaderName: a\ncontrollerLeaders: [{ name: x }]\n`, ["controllerLeaders.0"]],
        ["leaderName: [\n", ["not valid YAML"]],
      ];
      for (const [index, [text, says]] of wrong.entries()) {
        const file = join(env.dir, `h-30-${index}.yaml`);
        writeFileSync(file, text);
        await refuses(env, file, says);
      }
      await refuses(env, join(env.dir, "h-30-absent.yaml"), ["cannot be read"]);
    },
  ),
  isolatedRow(
    "H-31",
    "by default routes, Services and the lifecycle move, by whatever name they are called (OW-7)",
    async (env) => {
      await holdBy(env, DEFAULT_LEASE, "kube-controller-manager_1");
      const flags = {
        "--enable-leader-migration": "true",
        "--configure-cloud-routes": "true",
        "--cluster-cidr": CLUSTER_CIDR,
      };
      const replica = await env.start({ flags });
      await leaderAmong([replica]);
      await nodeWorks(env);
      await runs(replica, ["cloud-node-controller"]);
      await free(env, DEFAULT_LEASE);
      await runs(replica, [...NODE_LOOPS, "node-route-controller", SERVICE_LOOP]);
      const main = await leaseOf(env);
      same(
        (await leaseOf(env, { name: DEFAULT_LEASE }))?.spec.holderIdentity,
        main?.spec.holderIdentity,
        "the second Lease's holder",
      );
    },
  ),
];

async function endsWithMainLease(env: IsolatedEnvironment, lease: string): Promise<void> {
  const replica = await startWith(env, { lease, [SERVICE_LOOP]: "cloud-controller-manager" }, "b");
  await leaderAmong([replica]);
  await runs(replica, [...NODE_LOOPS, SERVICE_LOOP]);
  await env.kube.patch(leasePath({ name: env.lease, namespace: "kube-system" }), "merge", {
    spec: { holderIdentity: "x" },
  });
  same(await replica.ended, 1, "the exit code");
  const second = await leaseOf(env, { name: lease });
  same(second?.spec.holderIdentity, "", "the second Lease's holder");
}

/** Starts a controller whose configuration assigns each named controller to a component. */
function startWith(
  env: IsolatedEnvironment,
  { lease, ...leaders }: { readonly lease: string } & Readonly<Record<string, string>>,
  name = "a",
): Promise<Replica> {
  const file = join(env.dir, `migration-${name}.yaml`);
  const entries = Object.entries(leaders).map(
    ([name, component]) => `  - name: ${name}\n    component: "${component}"\n`,
  );
  writeFileSync(file, `${HEAD}leaderName: ${lease}\ncontrollerLeaders:\n${entries.join("")}`);
  const flags = { "--enable-leader-migration": "true", "--leader-migration-config": file };
  return env.start({ name, flags });
}

/** Creates a Lease that another manager holds and has renewed for a long time. */
async function holdBy(env: IsolatedEnvironment, name: string, holder: string): Promise<void> {
  const path = leasePath({ name, namespace: "kube-system" });
  const now = `${new Date().toISOString().slice(0, -1)}000Z`;
  await env.kube.create(path.slice(0, path.lastIndexOf("/")), {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: "kube-system" },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: 3_600,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    },
  });
  env.after(() => env.kube.delete(path));
}

async function free(env: IsolatedEnvironment, name: string): Promise<void> {
  await env.kube.patch(leasePath({ name, namespace: "kube-system" }), "merge", {
    spec: { holderIdentity: "", leaseDurationSeconds: 1 },
  });
}

async function nodeWorks(env: IsolatedEnvironment): Promise<void> {
  await createInstance(env, env.name, { addresses: [internal("10.228.0.1")] });
  await createNode(env, env.name);
  await initialised(env, env.name);
}

async function unserved(env: IsolatedEnvironment, replica: Replica): Promise<void> {
  await untilService(env, env.name, { check: () => undefined });
  await always(
    () => {
      demand(!hasEnded(replica), "the controller ended");
      same(ingressOf(seenService(env, env.name)), [], "where the Service is reached");
    },
    { forMs: QUIET_MS },
  );
}

/** Checks that each Lease has a health check, and the note of the second one. */
async function checks(replica: Replica, note: string): Promise<void> {
  await eventually(async () => {
    const body = (await replica.ask("/healthz?verbose"))?.body ?? "";
    demand(/^\[\+\]leaderElection ok$/m.test(body), `no check of the main Lease: ${body}`);
    demand(body.includes(`[+]leaderMigration ok (${note})`), `it does not say ${note}: ${body}`);
  });
}

async function gauges(replica: Replica, leases: readonly string[]): Promise<void> {
  await eventually(async () => {
    const lines = (await replica.ask("/metrics"))?.body.split("\n") ?? [];
    for (const lease of leases)
      demand(
        lines.includes(`leader_election_master_status{name="${lease}"} 1`),
        `no gauge says that ${lease} is held`,
      );
  });
}

async function refuses(
  env: SharedEnvironment,
  file: string,
  says: readonly string[],
): Promise<void> {
  const ending = await env.startsAndEnds({
    "--enable-leader-migration": "true",
    "--leader-migration-config": file,
    "--secure-port": "0",
  });
  endsWith(ending, { code: 1, says: [file, ...says] });
}
