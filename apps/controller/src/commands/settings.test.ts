import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { ControlsStatus } from "@cloudwright/core/model/controls";
import { claimIntent, openIntents, reportIntent } from "@cloudwright/store/intents/statements";
import { LOCAL_ADMIN } from "@cloudwright/store/users/sign-in";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { useClusterDatabase } from "../../../../packages/store/testing/cluster-database.ts";
import { CLUSTER, heartbeat } from "../../../../packages/store/testing/records.ts";
import { runOtherCommand } from "./program.ts";
import { useWrittenOutput } from "./testing/written-output.ts";

const database = useClusterDatabase();
const PERIOD = "node-monitor-period";
const AT = Date.UTC(2026, 10, 28, 2);
const OFFERED: ControlsStatus["settings"] = [
  { setting: PERIOD, flag: "5s" },
  { setting: "node-deletion-guard", flag: "5,10%,10m" },
  {
    setting: "ledger-retention-runs",
    flag: "30d",
    override: { value: "40d", by: "ana", why: "INC-88", at: AT, intentId: "i-1" },
  },
];

const output = useWrittenOutput();
beforeEach(async () => {
  await database.db.prisma.user.create({
    data: { id: "id-root", name: "Root", email: LOCAL_ADMIN, role: "admin" },
  });
  await database.write(heartbeat({ controls: { pauses: [], settings: OFFERED } }));
});

async function run(...args: readonly string[]): Promise<string> {
  const url = String(database.db.pool.options.connectionString);
  output.clear();
  await runOtherCommand(["settings", ...args, "--database-url", url]);
  return output.text();
}

const LEADER = { identity: "ctl-1", leaseTransitions: 4 };
const PLAN = { changes: [], notTaken: [], planHash: "h-1" };
const NEXT = { kind: "settled", reason: { code: "InStep" } } as const;

/** Plays a leader that plans and carries out every request until the test ends. */
function lead(): void {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const work = async () => {
    while (!isOver) {
      for (const intent of await openIntents(database.db, CLUSTER)) await carryOut(intent);
      await vi
        .waitFor(async () => {
          if (!isOver && (await openIntents(database.db, CLUSTER)).length === 0) throw new Error();
        })
        .catch(() => undefined);
    }
  };
  // The database closes before the loop has noticed the end of the test.
  work().catch(() => undefined);
}

async function carryOut(intent: Intent): Promise<void> {
  const { db } = database;
  await claimIntent(db, intent, LEADER);
  const report = { intent, claimant: LEADER };
  await reportIntent(db, { ...report, report: { state: "running" } });
  const end =
    intent.kind === "preview" ? { preview: { ...PLAN, next: NEXT } } : { result: "It is so now." };
  await reportIntent(db, { ...report, report: { state: "verified", ...end } });
}

/** Returns the requested changes, without previews. */
async function asked() {
  const rows = await database.db.prisma.intent.findMany({ where: { kind: { not: "preview" } } });
  return rows.map(({ kind, action, why, planHash, actorName }) => ({
    ...{ kind, action, why, planHash, actorName },
  }));
}

describe("cloudwright settings", () => {
  test("lists the leader's values, with the flag's value and who set it", async () => {
    expect((await run()).split("\n")).toEqual([
      expect.stringMatching(/^SETTING +VALUE +FLAG +DEFAULT +SET BY +SET AT +WHY$/),
      expect.stringMatching(/^node-deletion-guard +5,10%,10m +5,10%,10m +\S+$/),
      expect.stringMatching(/^node-monitor-period +5s +5s +5s$/),
      expect.stringMatching(
        /^ledger-retention-runs +40d +30d +30d +ana +2026-11-28T02:00:00.000Z +INC-88$/,
      ),
      "",
    ]);
    expect(JSON.parse(await run("--output", "json"))).toContainEqual({
      ...{ name: "ledger-retention-runs", value: "40d", flag: "30d", default: "30d" },
      ...{ by: "ana", why: "INC-88", at: "2026-11-28T02:00:00.000Z" },
    });
  });

  test.each([
    ["has not reported any", {}, /No leader has reported its settings yet/],
    [
      "takes none while it runs",
      { controls: { pauses: [] } },
      /release 0\.1\.0, which cannot change/,
    ],
  ])("says so where the leader %s", async (_case, controls, message) => {
    await database.write(heartbeat({ ...controls, leaseTransitions: 5, instance: "ctl-2" }));
    await expect(run()).rejects.toThrow(message);
  });
});

describe("cloudwright settings set", () => {
  test("has the leader plan the change, prints its consequences, and requests it in an admin's name", async () => {
    lead();
    const text = await run("set", PERIOD, "60s", "--why", "INC-90");
    expect(text).toContain("--node-monitor-period: 5s -> 1m0s\n");
    expect(text).toMatch(/is noticed up to 1\smin later instead of 5\ss\./);
    expect(text).toMatch(/It is so now\.\n$/);
    expect(await asked()).toEqual([
      {
        ...{ kind: "set-setting", why: "INC-90", planHash: "h-1", actorName: "Root" },
        action: { kind: "set-setting", setting: PERIOD, from: "5s", value: "1m0s" },
      },
    ]);
    const entries = await database.db.prisma.auditEntry.findMany({
      where: { action: "intent.request", after: { path: ["kind"], equals: "set-setting" } },
    });
    expect(entries).toMatchObject([{ actorName: "Root", why: "INC-90", result: "applied" }]);
  });

  test("changes nothing with --dry-run, nor if the setting already has that value", async () => {
    lead();
    expect(await run("set", PERIOD, "10s", "--why", "x", "--dry-run")).toMatch(
      /Nothing was changed\.\n$/,
    );
    expect(await run("set", PERIOD, "5000ms", "--why", "x")).toBe(
      "--node-monitor-period is already 5s.\n",
    );
    expect(await asked()).toEqual([]);
  });

  test.each([" ", "x".repeat(501)])("refuses a reason that cannot be recorded", async (why) => {
    const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => errors.mockRestore());
    await run("set", PERIOD, "20s", "--why", why);
    expect(String(errors.mock.calls)).toMatch(/It must have between 1 and 500 characters\.\n$/);
    expect(await asked()).toEqual([]);
  });

  test("requires the new value again if records would be lost", async () => {
    lead();
    const shorter = ["set", "ledger-retention-runs", "72h", "--why", "the disk is full"];
    await expect(run(...shorter)).rejects.toThrow(
      /^Nothing was changed: this change has to be confirmed\. Run the same command with --confirm=3d\.$/,
    );
    await expect(run(...shorter, "--confirm", "4d")).rejects.toThrow(/--confirm=3d/);
    expect(await asked()).toEqual([]);
    await run(...shorter, "--confirm", "72h");
    expect(await asked()).toMatchObject([{ kind: "shorten-retention", action: { value: "3d" } }]);
  });

  test("reports that the change is waiting for another admin", async () => {
    lead();
    await database.db.prisma.approvalPolicy.create({
      data: {
        ...{ clusterId: CLUSTER, required: true, actions: ["loosen-guard"] },
        ...{ changedBy: "ana", changedAt: new Date() },
      },
    });
    const off = ["set", "node-deletion-guard", "off", "--why", "x", "--confirm", "off"];
    expect(await run(...off)).toMatch(/waits for the approval of another admin until .*: action /);
  });

  test.each<[string, readonly string[], RegExp]>([
    ["a value out of bounds", [PERIOD, "1ms"], /between 1s and 24h, and cannot be "1ms"/],
    ["what is no value", [PERIOD, "soon"], /must be a duration/],
    ["what is no setting", ["kube-api-qps", "5"], /No setting called kube-api-qps/],
    ["what the leader does not use", ["volume-drift-period", "1h"], /does not use/],
    ["a name that nobody has", [PERIOD, "9s", "--email", "no@x.test"], /Nobody can sign in/],
  ])("refuses %s, and asks for nothing", async (_case, args, message) => {
    await expect(run("set", ...args, "--why", "x")).rejects.toThrow(message);
    expect(await database.db.prisma.intent.count()).toBe(0);
  });

  test("requires an admin", async () => {
    lead();
    const email = "op@example.org";
    await database.db.prisma.user.create({
      data: { id: "id-op", name: "Op", email, role: "operator" },
    });
    const change = run("set", PERIOD, "9s", "--why", "x", "--email", email);
    await expect(change).rejects.toThrow(/Needs role admin; Op is operator/);
    expect(await asked()).toEqual([]);
  });
});

test("cloudwright settings reset restores the flag's value", async () => {
  lead();
  const args = ["--why", "over", "--confirm", "30d"];
  await run("reset", "ledger-retention-runs", ...args);
  const [change] = await asked();
  expect(change?.action).toMatchObject({ from: "40d", value: "30d", reset: true });
  expect(await run("reset", PERIOD, "--why", "x")).toBe("--node-monitor-period is already 5s.\n");
});
