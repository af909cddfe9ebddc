import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { isolatedRows, secondLeaseOf } from "../environment/isolated.ts";
import {
  becomesInitialised,
  electionEvents,
  LEASE_MS,
  leaderAmong,
  leads,
  leaseOf,
  leasePath,
  others,
  RENEW_DEADLINE_MS,
  RETRY_MS,
  startPair,
} from "../environment/leading.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

/** Rows H-01 to H-07: who leads, and what happens to a replica that no longer does. */
export const ELECTION: readonly Scenario[] = isolatedRows({
  "H-01 of two replicas one holds the Lease, and only it calls the cloud": async (env) => {
    const flags = { "--leader-elect-resource-name": undefined };
    const ways = {
      a: await env.wayToCloud("a"),
      b: await env.wayToCloud("b"),
    };
    const a = await env.start({ name: "a", flags, cloudConfig: ways.a.config });
    const b = await env.start({ name: "b", flags, cloudConfig: ways.b.config });
    const leader = await leaderAmong([a, b]);
    const lease = await leaseOf(env, { name: "cloud-controller-manager" });
    const holder = lease?.spec.holderIdentity ?? "";
    demand(holder !== "", "the Lease has no holder");
    // It is ready as soon as its caches are synced, which may be before it first reads the Lease.
    await eventually(async () => {
      const standby = await others([a, b], leader).ask("/readyz?verbose");
      demand(
        standby?.body.includes(`standby, ${holder} leads`) === true,
        `the standby says: ${standby?.body}`,
      );
    });
    await becomesInitialised(env, "h-01");
    await always(async () => same(await leads(leader), true, "that the leader leads"), {
      forMs: 5_000,
    });
    const [leading, waiting] = leader === a ? [ways.a, ways.b] : [ways.b, ways.a];
    demand(leading.relay.sentBytes > 0, "the leader asked the cloud nothing");
    same(waiting.relay.sentBytes, 0, "bytes that the standby sent to the cloud");
  },
  "H-02 after kill -9 of the leader the other one leads within 20 s": async (env) => {
    const { leader, standby } = await startPair(env);
    const before = await leaseOf(env);
    await leader.stop("SIGKILL");
    await leaderAmong([standby], LEASE_MS + 2.2 * RETRY_MS + 600);
    const after = await leaseOf(env);
    const transitions = before?.spec.leaseTransitions ?? Number.NaN;
    same(after?.spec.leaseTransitions, transitions + 1, "the Lease's transitions");
    const became = `${after?.spec.holderIdentity} became leader`;
    await eventually(async () => {
      const messages = await electionEvents(env);
      demand(messages.includes(became), `no event says "${became}": ${messages.join("; ")}`);
    });
    await becomesInitialised(env, "h-02");
  },
  "H-03 a leader that no longer reaches the API server ends, and asks the cloud nothing once another leads":
    async (env) => {
      const cluster = await env.wayToCluster("a");
      const cloud = await env.wayToCloud("a");
      const first = await env.start({
        name: "a",
        kubeconfig: cluster.config,
        cloudConfig: cloud.config,
      });
      await leaderAmong([first]);
      const second = await env.start({ name: "b" });
      await createInstance(env, "h-03", { addresses: [internal("10.203.0.1")] });
      await createNode(env, "h-03");
      await initialised(env, "h-03");
      cluster.relay.hush();
      const gone = eventually(() => demand(hasEnded(first), "it still runs"), {
        withinMs: RENEW_DEADLINE_MS + 12_000,
      });
      await leaderAmong([second], LEASE_MS + 3 * RETRY_MS);
      const sent = cloud.relay.sentBytes;
      demand(sent > 0, "it never asked the cloud by this way");
      await gone;
      same(cloud.relay.sentBytes - sent, 0, "bytes sent to the cloud after another led");
      same(await first.ended, 1, "the exit code");
      await becomesInitialised(env, "h-03-later");
    },
  "H-04 a deleted Lease is made again by the same leader": async (env) => {
    const leader = await env.start();
    await leaderAmong([leader]);
    const before = await leaseOf(env);
    await env.kube.delete(leasePath({ name: env.lease, namespace: "kube-system" }));
    const after = await eventually(async () => {
      const lease = await leaseOf(env);
      demand(lease !== undefined, "there is no Lease");
      return lease;
    });
    demand(after.metadata.uid !== before?.metadata.uid, "it is the old Lease");
    same(after.spec.holderIdentity, before?.spec.holderIdentity, "the holder");
    await always(
      async () => {
        demand(!hasEnded(leader), "the leader ended");
        same(await leads(leader), true, "that it leads");
      },
      { forMs: 5_000 },
    );
  },
  "H-05 a leader whose Lease names another one ends, and a replica leads once that is over": async (
    env,
  ) => {
    const { leader, standby } = await startPair(env);
    await env.kube.patch(leasePath({ name: env.lease, namespace: "kube-system" }), "merge", {
      spec: { holderIdentity: "x" },
    });
    await eventually(() => demand(hasEnded(leader), "the leader still runs"), {
      withinMs: RENEW_DEADLINE_MS,
    });
    same(await leader.ended, 1, "the exit code");
    demand(leader.output().includes("the Lease was lost"), "its log does not say why");
    await leaderAmong([standby], LEASE_MS + 3 * RETRY_MS);
  },
  "H-06 name, namespace and times of the Lease are as the flags say": async (env) => {
    const namespace = "conformance-h-06";
    await env.electIn(namespace);
    const leader = await env.start({
      flags: {
        "--leader-elect-resource-name": secondLeaseOf("H-06"),
        "--leader-elect-resource-namespace": namespace,
        "--leader-elect-lease-duration": "7s",
        "--leader-elect-renew-deadline": "5s",
        "--leader-elect-retry-period": "1s",
      },
    });
    await leaderAmong([leader]);
    const place = { name: secondLeaseOf("H-06"), namespace };
    const lease = await leaseOf(env, place);
    same(lease?.spec.leaseDurationSeconds, 7, "the Lease's duration");
    const renewed = new Set<string | undefined>();
    await always(
      async () => renewed.add((await leaseOf(env, place))?.spec.renewTime) && undefined,
      {
        forMs: 5_000,
      },
    );
    demand(renewed.size >= 4, `${renewed.size} renewals in 5 s, although it retries each second`);
    same(await leaseOf(env), undefined, "the Lease of the default name");
    await env.kube.delete(leasePath(place));
  },
  "H-07 without election there is no Lease, and the loops run": async (env) => {
    await env.start({ flags: { "--leader-elect": "false" } });
    await becomesInitialised(env, "h-07");
    same(await leaseOf(env), undefined, "the Lease");
  },
});
