import { describe, expect, test } from "vitest";
import { fleet } from "../../../testing/fleet.ts";
import { CLUSTER, heartbeat, runEnd } from "../../../testing/records.ts";
import { useDatabase, useTestServer } from "../../../testing/suite-database.ts";
import { requestIntent } from "../../intents/request-intent.ts";
import { clusterById, listClusters } from "./clusters.ts";

const server = useTestServer();

describe("clusters", () => {
  const database = useDatabase(server);

  test("name their leader by the newest lease, count nodes, runs and open actions", async () => {
    const now = Date.now();
    await database.write(
      heartbeat({ at: now - 60_000, instance: "ctl-1", leaseTransitions: 4 }),
      heartbeat({ at: now, instance: "ctl-2", leaseTransitions: 5 }),
      heartbeat({ at: now, instance: "ctl-3", leader: false }),
      heartbeat({ at: now - 7_200_000, instance: "ctl-0", leaseTransitions: 3 }),
      ...fleet(),
      runEnd({ startedAt: now, outcome: "changed" }),
      runEnd({ startedAt: now, outcome: "failed" }),
      runEnd({ startedAt: now, outcome: "unchanged" }),
      runEnd({ startedAt: now - 4_000_000, outcome: "failed" }),
    );
    await requestIntent(
      { db: database.db, actor: { id: "u1", name: "ana", role: "operator" } },
      {
        id: "6f3c2a10-0000-4000-8000-0000000000aa",
        cluster: CLUSTER,
        kind: "retry",
        controller: "cloud-node-controller",
        object: { kind: "Node", name: "w-2" },
        why: "Looked at",
      },
    );
    const cluster = await clusterById(database.db, CLUSTER);
    expect(cluster).toMatchObject({
      name: "prod-eu",
      lastHeardAt: now,
      leader: { identity: "ctl-2", leaseTransitions: 5 },
      nodes: { stuck: 2, gone: 1 },
      runs: { all: 3, changed: 1, failed: 1 },
      openIntents: 1,
    });
    expect(cluster.instances.map((instance) => instance.identity)).toEqual([
      "ctl-2",
      "ctl-3",
      "ctl-1",
    ]);
    expect(await listClusters(database.db)).toEqual([cluster]);
  });

  test("report what users have paused and what the deletion guard holds", async () => {
    const paused = { by: "ana", why: "INC-88", until: 9_000 };
    const pause = { controller: "cloud-node-controller", at: 1, intentId: "i", ...paused } as const;
    const controls = {
      pauses: [pause],
      guard: {
        limit: 5,
        windowMs: 600_000,
        deleted: 5,
        windowEndsAt: 7_000,
        held: [{ name: "w-1", uid: "u-1", since: 2_000, because: "It is gone." }],
      },
    };
    const name = "cloud-node-controller" as const;
    await database.write(
      heartbeat({ controls, controllers: [{ name, queueDepth: 3, oldestMs: 10, paused }] }),
      heartbeat({ instance: "ctl-2", leader: false }),
    );
    const { leader, instances } = await clusterById(database.db, CLUSTER);
    expect(leader?.controls).toEqual(controls);
    expect(leader?.controllers).toMatchObject([{ name, paused }]);
    expect(instances.find(({ identity }) => identity === "ctl-2")?.controls).toBeUndefined();
  });

  test("without runs count none", async () => {
    await database.write(heartbeat());
    expect((await clusterById(database.db, CLUSTER)).runs).toEqual({
      all: 0,
      changed: 0,
      failed: 0,
    });
  });

  test("that nobody has reported are not found", async () => {
    await expect(clusterById(database.db, "nowhere")).rejects.toMatchObject({ code: "NotFound" });
  });
});
