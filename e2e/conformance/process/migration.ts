import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { leaderAmong, leaseOf, leasePath } from "../environment/leading.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import type { Scenario, World } from "../environment/scenario.ts";
import { onStage, type Replica, type Stage, secondLeaseOf } from "../environment/stage.ts";
import { CLUSTER_CIDR } from "../route/objects.ts";
import { createService, ingressOf, seenService, served, untilService } from "../service/objects.ts";
import { endsWith, runs } from "./starting.ts";

const NODE_LOOPS = ["cloud-node-controller", "cloud-node-lifecycle-controller"];
const SERVICE_LOOP = "service-lb-controller";
const DEFAULT_LEASE = "cloud-provider-extraction-migration";
const HEAD = "apiVersion: controllermanager.config.k8s.io/v1\nkind: LeaderMigrationConfiguration\n";
/** Longer than a standby takes to look again. */
const QUIET_MS = 6_000;

/** Rows H-28 to H-31: controllers that move between this manager and kube-controller-manager (KEP-2436). */
export const MIGRATION: readonly Scenario[] = [
  onStage(
    "H-28",
    "a controller that moves waits for the second Lease, works under it, and the loss of either Lease ends the process",
    async (stage) => {
      const lease = secondLeaseOf("H-28");
      await holdBy(stage, lease, "kube-controller-manager_1");
      const replica = await startWith(stage, { lease, [SERVICE_LOOP]: "*" });
      await leaderAmong([replica]);
      await nodeWorks(stage);
      await createService(stage, stage.name);
      await unserved(stage, replica);
      await runs(replica, NODE_LOOPS);
      await checks(replica, `waits for the Lease ${lease}, which kube-controller-manager_1 holds`);
      await free(stage, lease);
      await served(stage, stage.name);
      await runs(replica, [...NODE_LOOPS, SERVICE_LOOP]);
      await checks(replica, `holds the Lease ${lease}`);
      const [main, second] = [await leaseOf(stage), await leaseOf(stage, { name: lease })];
      same(second?.spec.holderIdentity, main?.spec.holderIdentity, "the second Lease's holder");
      await gauges(replica, [stage.lease, lease]);
      await stage.kube.patch(leasePath({ name: lease, namespace: "kube-system" }), "merge", {
        spec: { holderIdentity: "x" },
      });
      same(await replica.ended, 1, "the exit code");
      demand(
        replica.output().includes(`the Lease ${lease} of the leader migration was lost`),
        "it does not say which Lease it lost",
      );
      same((await leaseOf(stage))?.spec.holderIdentity, "", "the main Lease's holder");
      await free(stage, lease);
      await endsWithMainLease(stage, lease);
    },
  ),

  onStage("H-29", "a controller that is another component's is not run here", async (stage) => {
    const lease = secondLeaseOf("H-29");
    const replica = await startWith(stage, { lease, service: "kube-controller-manager" });
    stage.after(() => stage.kube.delete(leasePath({ name: lease, namespace: "kube-system" })));
    await leaderAmong([replica]);
    await checks(replica, `holds the Lease ${lease}`);
    await createService(stage, stage.name);
    await nodeWorks(stage);
    await unserved(stage, replica);
    await runs(replica, NODE_LOOPS);
    demand(
      replica
        .output()
        .split("\n")
        .some((line) => /Not run here.*service-lb-controller/.test(line)),
      "it does not say that the service loop is not run here",
    );
  }),

  {
    id: "H-30",
    title: "a configuration that is wrong ends with 1 and says what is wrong where",
    async run(world) {
      const wrong: readonly (readonly [string, readonly string[]])[] = [
        [`${HEAD}leaderName: a\nleader: b\n`, ["has the field leader, which there is not"]],
        [HEAD, ["lacks the field leaderName"]],
        [`${HEAD}leaderName: a\nresourceLock: endpoints\n`, ["resourceLock", "leases"]],
        [`${HEAD}leaderName: a\nleaderName: b\n`, ["unique"]],
        [`${HEAD}leaderName: a\ncontrollerLeaders: [{ name: x }]\n`, ["controllerLeaders.0"]],
        ["leaderName: [\n", ["not valid YAML"]],
      ];
      for (const [index, [text, says]] of wrong.entries()) {
        const file = join(world.dir, `h-30-${index}.yaml`);
        writeFileSync(file, text);
        await refuses(world, file, says);
      }
      await refuses(world, join(world.dir, "h-30-absent.yaml"), ["cannot be read"]);
    },
  },

  onStage(
    "H-31",
    "by default routes, Services and the lifecycle move, by whatever name they are called (OW-7)",
    async (stage) => {
      await holdBy(stage, DEFAULT_LEASE, "kube-controller-manager_1");
      const flags = {
        "--enable-leader-migration": "true",
        "--configure-cloud-routes": "true",
        "--cluster-cidr": CLUSTER_CIDR,
      };
      const replica = await stage.start({ flags });
      await leaderAmong([replica]);
      await nodeWorks(stage);
      await runs(replica, ["cloud-node-controller"]);
      await free(stage, DEFAULT_LEASE);
      await runs(replica, [...NODE_LOOPS, "node-route-controller", SERVICE_LOOP]);
      const main = await leaseOf(stage);
      same(
        (await leaseOf(stage, { name: DEFAULT_LEASE }))?.spec.holderIdentity,
        main?.spec.holderIdentity,
        "the second Lease's holder",
      );
    },
  ),
];

async function endsWithMainLease(stage: Stage, lease: string): Promise<void> {
  const replica = await startWith(
    stage,
    { lease, [SERVICE_LOOP]: "cloud-controller-manager" },
    "b",
  );
  await leaderAmong([replica]);
  await runs(replica, [...NODE_LOOPS, SERVICE_LOOP]);
  await stage.kube.patch(leasePath({ name: stage.lease, namespace: "kube-system" }), "merge", {
    spec: { holderIdentity: "x" },
  });
  same(await replica.ended, 1, "the exit code");
  const second = await leaseOf(stage, { name: lease });
  same(second?.spec.holderIdentity, "", "the second Lease's holder");
}

/** Starts a controller whose configuration gives each named controller to a component. */
function startWith(
  stage: Stage,
  { lease, ...leaders }: { readonly lease: string } & Readonly<Record<string, string>>,
  name = "a",
): Promise<Replica> {
  const file = join(stage.dir, `migration-${name}.yaml`);
  const entries = Object.entries(leaders).map(
    ([name, component]) => `  - name: ${name}\n    component: "${component}"\n`,
  );
  writeFileSync(file, `${HEAD}leaderName: ${lease}\ncontrollerLeaders:\n${entries.join("")}`);
  const flags = { "--enable-leader-migration": "true", "--leader-migration-config": file };
  return stage.start({ name, flags });
}

/** A Lease that another manager holds and renews for long. */
async function holdBy(stage: Stage, name: string, holder: string): Promise<void> {
  const path = leasePath({ name, namespace: "kube-system" });
  const now = `${new Date().toISOString().slice(0, -1)}000Z`;
  await stage.kube.create(path.slice(0, path.lastIndexOf("/")), {
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
  stage.after(() => stage.kube.delete(path));
}

async function free(stage: Stage, name: string): Promise<void> {
  await stage.kube.patch(leasePath({ name, namespace: "kube-system" }), "merge", {
    spec: { holderIdentity: "", leaseDurationSeconds: 1 },
  });
}

async function nodeWorks(stage: Stage): Promise<void> {
  await createInstance(stage, stage.name, { addresses: [internal("10.228.0.1")] });
  await createNode(stage, stage.name);
  await initialised(stage, stage.name);
}

async function unserved(stage: Stage, replica: Replica): Promise<void> {
  await untilService(stage, stage.name, { check: () => undefined });
  await always(
    () => {
      demand(!hasEnded(replica), "the controller ended");
      same(ingressOf(seenService(stage, stage.name)), [], "where the Service is reached");
    },
    { forMs: QUIET_MS },
  );
}

/** A health check for each Lease, and what that of the second one says. */
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

async function refuses(world: World, file: string, says: readonly string[]): Promise<void> {
  const ending = await world.startsAndEnds({
    "--enable-leader-migration": "true",
    "--leader-migration-config": file,
    "--secure-port": "0",
  });
  endsWith(ending, { code: 1, says: [file, ...says] });
}
