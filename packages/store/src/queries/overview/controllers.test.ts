import { describe, expect, test } from "vitest";
import { flagSetting, settings } from "../../../testing/budget-records.ts";
import { CLUSTER, heartbeat, runEnd } from "../../../testing/records.ts";
import { testLedger } from "../../../testing/test-ledger.ts";
import { clusterById } from "./clusters.ts";
import { controllerActivity, processSettings } from "./controllers.ts";

const ledger = testLedger();

const HOUR_MS = 3_600_000;

describe("the activity of controllers", () => {
  test("counts the runs of a controller that this release does not know", async () => {
    const now = Date.now();
    const controller = "namespace-label-controller";
    await ledger.write(
      heartbeat({ controllers: [{ name: controller, queueDepth: 0, oldestMs: 0 }] }),
      runEnd({ startedAt: now - 60_000, controller }),
    );
    const activity = await controllerActivity(ledger.db.pool, { cluster: CLUSTER, now });
    expect(activity.find((each) => each.controller === controller)).toMatchObject({ runs: 1 });
  });

  test("counts the runs of the last hour and knows the newest", async () => {
    const now = Date.now();
    const minutesAgo = (minutes: number) => now - minutes * 60_000;
    await ledger.write(
      runEnd({ startedAt: minutesAgo(1), outcome: "failed" }),
      runEnd({ startedAt: minutesAgo(5), outcome: "blocked" }),
      runEnd({ startedAt: minutesAgo(9) }),
      runEnd({ startedAt: minutesAgo(61), outcome: "failed" }),
      runEnd({ startedAt: minutesAgo(200), controller: "service-lb-controller" }),
      runEnd({ startedAt: minutesAgo(2), cluster: "another", outcome: "failed" }),
    );
    const activity = await controllerActivity(ledger.db.pool, { cluster: CLUSTER, now });
    const of = (name: string) => activity.find(({ controller }) => controller === name);
    expect(of("cloud-node-controller")).toMatchObject({
      runs: 3,
      failed: 2,
      newestAt: minutesAgo(1),
    });
    expect(of("service-lb-controller")).toMatchObject({
      runs: 0,
      failed: 0,
      newestAt: minutesAgo(200),
    });
    expect(of("node-route-controller")).toMatchObject({ runs: 0, newestAt: undefined });
  });
});

describe("what a process says of itself", () => {
  test("comes with its heartbeat, and an older one says nothing", async () => {
    const reported = {
      startedAt: 5_000,
      ledgerLagMs: 40,
      lease: "kube-system/cloud-controller-manager",
      idle: [{ name: "node-route-controller", cause: "notOffered", what: "routes" }],
      missingPermissions: ["patch nodes/status"],
    } as const;
    await ledger.write(
      heartbeat({ ...reported }),
      heartbeat({ instance: "ctl-old", leader: false }),
    );
    const { instances } = await clusterById(ledger.db, CLUSTER);
    const of = (name: string) => instances.find(({ identity }) => identity === name);
    expect(of("ctl-1")).toMatchObject(reported);
    expect(of("ctl-old")?.idle).toBeUndefined();
  });
});

describe("settings", () => {
  test("are those of the processes that were heard lately, the leader's first", async () => {
    const now = Date.now();
    const other = [flagSetting({ value: "50", source: "flag" })];
    await ledger.write(
      heartbeat({ instance: "ctl-2", leader: false, at: now }),
      heartbeat({ instance: "ctl-1", at: now - 1_000 }),
      heartbeat({ instance: "ctl-0", leader: false, at: now - 2 * HOUR_MS }),
      settings({ instance: "ctl-0", at: now - 3 * HOUR_MS }),
      settings({ instance: "ctl-2", at: now - HOUR_MS, flags: other }),
      settings({ instance: "ctl-1", at: now - HOUR_MS }),
    );
    expect(await processSettings(ledger.db, CLUSTER)).toEqual([
      {
        identity: "ctl-1",
        at: now - HOUR_MS,
        leader: true,
        dryRun: false,
        flags: [flagSetting()],
      },
      { identity: "ctl-2", at: now - HOUR_MS, leader: false, dryRun: false, flags: other },
    ]);
  });

  test("are the newest that a process reported", async () => {
    const at = Date.now();
    const newer = [flagSetting({ value: "50", source: "flag" })];
    await ledger.write(heartbeat(), settings({ at, flags: newer }));
    await ledger.write(settings({ at: at - 5_000 }));
    expect(await processSettings(ledger.db, CLUSTER)).toMatchObject([{ flags: newer }]);
  });
});
