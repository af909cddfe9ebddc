import { always, demand, eventually, same } from "../../harness/wait.ts";
import { heldRead } from "../environment/held-answers.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import { leaderAmong, leaseOf, startSuccessorOf } from "../environment/leading.ts";
import { createInstance, createNode, eventsOf, internal } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { joined } from "../node-lifecycle/objects.ts";
import { CREATE, CREATED, callsOf, condition, leadsTo, routeTo } from "../route/objects.ts";
import { createService, FINALIZER, key } from "../service/objects.ts";
import { untilState } from "./truthful-states.ts";

const RANGES = "10.184.0.0/16";
const TO_A_MACHINE = "10.184.1.0/24";
const LEASE_MS = 3_000;
const SHORT_LEASE = {
  "--leader-elect-lease-duration": `${LEASE_MS / 1_000}s`,
  "--leader-elect-renew-deadline": "2s",
  "--leader-elect-retry-period": "500ms",
};

/** Rows B-84 and B-85: what is not the cloud's fault is not reported as such. */
export const BLAMELESS_CLOUD: readonly Scenario[] = isolatedRows({
  "B-84 a machine that is gone raises no FailedToCreateRoute": async (env) => {
    await env.start({
      flags: {
        "--leader-elect": "false",
        "--controllers": "cloud-node,route",
        "--configure-cloud-routes": "true",
        "--cluster-cidr": RANGES,
        "--route-reconciliation-period": "1s",
      },
    });
    const id = await joined(env, "b-84", { ready: "True", podCIDRs: [TO_A_MACHINE] });
    await leadsTo(env, TO_A_MACHINE, { id });
    await condition(env, "b-84", CREATED);
    await env.cloud.forgetCalls();
    await env.cloud.remove(id);
    await eventually(async () => same(await routeTo(env, TO_A_MACHINE), undefined, "its route"));
    await untilState(env, "b-84", ({ parts }) =>
      same(parts[ROUTES]?.reason.code, "RouteWithoutMachine", "the reason of its route"),
    );
    await always(
      async () => {
        same(await callsOf(env, CREATE), 0, "routes that were tried");
        const reasons = eventsOf(env, "b-84").map(({ reason }) => reason);
        demand(!reasons.includes("FailedToCreateRoute"), `the Events are ${reasons}`);
      },
      { forMs: 5_000 },
    );
  },
  "B-85 a write held back by the lost Lease is not the cloud's failure, in log, Event and ledger":
    async (env) => {
      const { relay, config } = await env.relayedCloud();
      const flags = { ...SHORT_LEASE, "--controllers": "cloud-node,service" };
      const leader = await env.start({ flags, cloudConfig: config });
      await leaderAmong([leader]);
      const reads = [
        heldRead(relay, ({ path }) => path.startsWith("/v1/instances")),
        heldRead(relay, ({ path }) => path.startsWith("/v1/load-balancers")),
      ];
      await createInstance(env, "b-85", { addresses: [internal("10.70.85.1")] });
      await createNode(env, "b-85");
      // The Service already has its finalizer, so that the first write of its run goes to the cloud.
      await createService(env, "b-85-web", { finalizers: [FINALIZER] });
      await Promise.all(reads.map(({ isUnderWay }) => isUnderWay));
      await stopPastItsLease(env, leader);
      for (const { release } of reads) release();
      leader.child.kill("SIGCONT");
      same(await leader.ended, 1, "the exit code");

      const writes = relay.calls.filter(({ method }) => method !== "GET");
      same(writes, [], "what it wrote to the cloud");
      await startSuccessorOf(env, leader);
      for (const [name, object] of [
        ["b-85", "b-85"],
        ["b-85-web", key("b-85-web")],
      ] as const) {
        heldBackIn(leader, object);
        const warned = eventsOf(env, name).filter(({ type }) => type === "Warning");
        same(warned, [], `the Warnings of ${name}`);
        await eventually(async () => {
          const runs = await env.history(["--object", object]);
          const ends = new Set(runs.map(({ outcome, reason }) => `${outcome} ${reason?.code}`));
          same([...ends], ["interrupted LeaseLost"], `how the runs of ${name} ended`);
        });
      }
    },
});

const ROUTES = "node-route-controller";

/** Stops the process until its Lease has expired. */
async function stopPastItsLease(env: IsolatedEnvironment, { child }: Replica): Promise<void> {
  child.kill("SIGSTOP");
  await eventually(async () => {
    const renewedAt = Date.parse((await leaseOf(env))?.spec.renewTime ?? "");
    demand(Date.now() - renewedAt > LEASE_MS, "the Lease has not run out");
  });
}

/** Checks that its log says why the write was not sent, and blames neither the cloud nor the object. */
function heldBackIn(leader: Replica, object: string): void {
  const lines = leader
    .output()
    .split("\n")
    .filter((line) => line.includes(object));
  const why = "because this process no longer holds the Lease";
  demand(
    lines.some((line) => line.includes(why)),
    `the log does not say so of ${object}: ${lines.join("\n")}`,
  );
  same(
    lines.filter((line) => /\b(WARN|ERROR)\b/.test(line)),
    [],
    `the warnings about ${object}`,
  );
}
