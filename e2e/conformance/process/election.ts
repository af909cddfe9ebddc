import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
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
import { onStage, secondLeaseOf } from "../environment/stage.ts";

/** Rows H-01 to H-07: who leads, and what becomes of one who does no more. */
export const ELECTION: readonly Scenario[] = [
  onStage(
    "H-01",
    "of two replicas one holds the Lease, and only it calls the cloud",
    async (stage) => {
      const flags = { "--leader-elect-resource-name": undefined };
      const ways = {
        a: await stage.wayToCloud("a"),
        b: await stage.wayToCloud("b"),
      };
      const a = await stage.start({ name: "a", flags, cloudConfig: ways.a.config });
      const b = await stage.start({ name: "b", flags, cloudConfig: ways.b.config });
      const leader = await leaderAmong([a, b]);
      const lease = await leaseOf(stage, { name: "cloud-controller-manager" });
      const holder = lease?.spec.holderIdentity ?? "";
      demand(holder !== "", "the Lease has no holder");
      // It is ready as soon as its caches are warm, which may be before it has first looked at the Lease.
      await eventually(async () => {
        const standby = await others([a, b], leader).ask("/readyz?verbose");
        demand(
          standby?.body.includes(`standby, ${holder} leads`) === true,
          `the standby says: ${standby?.body}`,
        );
      });
      await becomesInitialised(stage, "h-01");
      await always(async () => same(await leads(leader), true, "that the leader leads"), {
        forMs: 5_000,
      });
      const [leading, waiting] = leader === a ? [ways.a, ways.b] : [ways.b, ways.a];
      demand(leading.relay.sentBytes > 0, "the leader asked the cloud nothing");
      same(waiting.relay.sentBytes, 0, "bytes that the standby sent to the cloud");
    },
  ),

  onStage("H-02", "after kill -9 of the leader the other one leads within 20 s", async (stage) => {
    const { leader, standby } = await startPair(stage);
    const before = await leaseOf(stage);
    await leader.stop("SIGKILL");
    await leaderAmong([standby], LEASE_MS + 2.2 * RETRY_MS + 600);
    const after = await leaseOf(stage);
    const transitions = before?.spec.leaseTransitions ?? Number.NaN;
    same(after?.spec.leaseTransitions, transitions + 1, "the Lease's transitions");
    const became = `${after?.spec.holderIdentity} became leader`;
    await eventually(async () => {
      const messages = await electionEvents(stage);
      demand(messages.includes(became), `no event says "${became}": ${messages.join("; ")}`);
    });
    await becomesInitialised(stage, "h-02");
  }),

  onStage(
    "H-03",
    "a leader that the API server hears no more ends, and asks the cloud nothing once another leads",
    async (stage) => {
      const cluster = await stage.wayToCluster("a");
      const cloud = await stage.wayToCloud("a");
      const first = await stage.start({
        name: "a",
        kubeconfig: cluster.config,
        cloudConfig: cloud.config,
      });
      await leaderAmong([first]);
      const second = await stage.start({ name: "b" });
      await createInstance(stage, "h-03", { addresses: [internal("10.203.0.1")] });
      await createNode(stage, "h-03");
      await initialised(stage, "h-03");
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
      await becomesInitialised(stage, "h-03-later");
    },
  ),

  onStage("H-04", "a deleted Lease is made again by the same leader", async (stage) => {
    const leader = await stage.start();
    await leaderAmong([leader]);
    const before = await leaseOf(stage);
    await stage.kube.delete(leasePath({ name: stage.lease, namespace: "kube-system" }));
    const after = await eventually(async () => {
      const lease = await leaseOf(stage);
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
  }),

  onStage(
    "H-05",
    "a leader whose Lease names another one ends, and a replica leads once that is over",
    async (stage) => {
      const { leader, standby } = await startPair(stage);
      await stage.kube.patch(leasePath({ name: stage.lease, namespace: "kube-system" }), "merge", {
        spec: { holderIdentity: "x" },
      });
      await eventually(() => demand(hasEnded(leader), "the leader still runs"), {
        withinMs: RENEW_DEADLINE_MS,
      });
      same(await leader.ended, 1, "the exit code");
      demand(leader.output().includes("the Lease was lost"), "its log does not say why");
      await leaderAmong([standby], LEASE_MS + 3 * RETRY_MS);
    },
  ),

  onStage("H-06", "name, namespace and times of the Lease are as the flags say", async (stage) => {
    const namespace = "conformance-h-06";
    await stage.electIn(namespace);
    const leader = await stage.start({
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
    const lease = await leaseOf(stage, place);
    same(lease?.spec.leaseDurationSeconds, 7, "the Lease's duration");
    const renewed = new Set<string | undefined>();
    await always(
      async () => renewed.add((await leaseOf(stage, place))?.spec.renewTime) && undefined,
      {
        forMs: 5_000,
      },
    );
    demand(renewed.size >= 4, `${renewed.size} renewals in 5 s, although it retries each second`);
    same(await leaseOf(stage), undefined, "the Lease of the default name");
    await stage.kube.delete(leasePath(place));
  }),

  onStage("H-07", "without election there is no Lease, and the loops run", async (stage) => {
    await stage.start({ flags: { "--leader-elect": "false" } });
    await becomesInitialised(stage, "h-07");
    same(await leaseOf(stage), undefined, "the Lease");
  }),
];
