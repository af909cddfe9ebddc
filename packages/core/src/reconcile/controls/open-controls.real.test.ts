import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { loadKubeConfig } from "../../kube/access/kubeconfig.ts";
import { createKubeClient, type KubeConnection } from "../../kube/calls/kube-client.ts";
import { CONFIG_MAPS, type KubeClient } from "../../kube/client.ts";
import { systemClock } from "../../kube/system-clock.ts";
import {
  startTestCluster,
  type TestCluster,
  testClusterFolder,
} from "../../kube/testing/test-cluster.ts";
import type { ControlAction, RequestedAction } from "../../model/actions/action.ts";
import type { AuditEntry } from "../../model/audit/audit.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import type { LedgerRecord } from "../../model/records/record.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { type Controls, openControls } from "./open-controls.ts";
import { FLAGS } from "./testing/setting-flags.ts";

const folder = testClusterFolder();
const NODE_LOOP: ControllerName = "cloud-node-controller";
const LIFECYCLE: ControllerName = "cloud-node-lifecycle-controller";
const READ_EVERY_MS = 15_000;

function node(name: string) {
  return { name, uid: `uid-${name}` };
}

function requested(action: ControlAction, intentId = "i-1"): RequestedAction<ControlAction> {
  return { action, intentId, by: "ana", why: "INC-88" };
}

describe.skipIf(folder === undefined)("the control record on a real API server", () => {
  let cluster: TestCluster;
  let admin: KubeConnection;
  let namespace = "";
  let namespaces = 0;
  const clock = createManualClock();
  const records: LedgerRecord[] = [];
  const events: string[] = [];
  const problems: string[] = [];
  const notices: string[] = [];
  const opened: Controls[] = [];

  beforeAll(async () => {
    cluster = await startTestCluster(folder ?? "");
    admin = await connect(cluster.kubeconfig);
  });
  afterAll(async () => {
    await admin.close();
    await cluster.stop();
  });
  beforeEach(async () => {
    namespaces += 1;
    namespace = `election-${namespaces}`;
    await cluster.kubectl("create", "namespace", namespace);
    for (const list of [records, events, problems, notices]) list.length = 0;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((controls) => controls.close()));
  });

  async function connect(kubeconfig: string): Promise<KubeConnection> {
    const access = await loadKubeConfig({ kubeconfig, clock: systemClock });
    return createKubeClient({ access, qps: 0, burst: 1, clock: systemClock, userAgent: "test" });
  }

  /** As a leader does at the start of its term. */
  async function open(
    client: Pick<KubeClient, "get" | "create" | "update"> = admin,
    more: { readonly dryRun?: boolean } = {},
  ): Promise<Controls> {
    const controls = await openControls({
      client,
      namespace,
      clock,
      random: () => 0.5,
      recorder: { append: (record) => records.push(record) },
      events: { event: ({ kind, name }, { reason }) => events.push(`${kind}/${name} ${reason}`) },
      identity: { cluster: "c-1", instance: "host_1" },
      controllers: new Set([NODE_LOOP, LIFECYCLE]),
      flags: FLAGS,
      onSetting: ({ setting, value }) => notices.push(`${setting} ${value}`),
      nodes: { count: () => 20, mayBeThere: ({ name }) => name !== "vanished" },
      dryRun: false,
      onProblem: (problem) => problems.push(problem),
      signal: new AbortController().signal,
      ...more,
    });
    opened.push(controls);
    return controls;
  }

  function carryOut(controls: Controls, action: ControlAction, intentId?: string) {
    const name = action.kind === "pause" || action.kind === "resume" ? NODE_LOOP : LIFECYCLE;
    return controls.target.carryOut(
      { requested: requested(action, intentId), object: { kind: "Controller", name } },
      new AbortController().signal,
    );
  }

  function guardOf(controls: Controls) {
    return controls.guard;
  }

  function audits(): readonly (readonly [AuditEntry["action"], string])[] {
    return records.flatMap((record) =>
      record.type === "audit" ? [[record.action, record.result] as const] : [],
    );
  }

  async function data(): Promise<Record<string, string>> {
    const target = { resource: CONFIG_MAPS, namespace, name: "cloudwright-controls" };
    return ((await admin.get(target)) as { data?: Record<string, string> }).data ?? {};
  }

  async function edit(patch: object): Promise<void> {
    const target = { resource: CONFIG_MAPS, namespace, name: "cloudwright-controls" };
    await admin.patch(target, { kind: "merge", body: patch });
  }

  /** Holds `count` nodes after the five that the guard lets through. */
  async function trip(controls: Controls, count: number): Promise<void> {
    const guard = guardOf(controls);
    for (let index = 1; index <= 5; index++) expect(await guard.take(node(`d${index}`))).toBe(true);
    for (let index = 1; index <= count; index++) guard.waits(node(`h${index}`), "It is gone.");
    await vi.waitFor(async () =>
      expect((await data())["deletion-guard"]).toContain(`uid-h${count}`),
    );
  }

  it("lets exactly the limit through of what is asked at once, in few writes", async () => {
    let writes = 0;
    const counting = {
      get: admin.get,
      create: admin.create,
      update: ((...call: Parameters<KubeClient["update"]>) => {
        writes += 1;
        return admin.update(...call);
      }) as KubeClient["update"],
    };
    const guard = guardOf(await open(counting));
    const nodes = Array.from({ length: 20 }, (_, index) => node(`n${index}`));
    const answers = await Promise.all(nodes.map((one) => guard.take(one)));
    expect(answers.filter((isTaken) => isTaken)).toHaveLength(5);
    expect(writes).toBeLessThanOrEqual(3);
    expect(guard.verdict(node("n0"))).toEqual({ kind: "free" });
    expect(guard.verdict(node("n19"))).toMatchObject({ kind: "held", deleted: 5, limit: 5 });
  });

  it("counts on where the leader before it had come to, whose own late count comes to nothing", async () => {
    const before = guardOf(await open());
    for (const name of ["a", "b", "c"]) expect(await before.take(node(name))).toBe(true);
    const next = guardOf(await open());
    for (const name of ["d", "e"]) expect(await next.take(node(name))).toBe(true);
    expect(await next.take(node("f"))).toBe(false);
    expect(before.verdict(node("g"))).toEqual({ kind: "free" });
    expect(await before.take(node("g"))).toBe(false);
  });

  it("goes on holding over a fail-over and past the window's end, with the alarm raised anew", async () => {
    await trip(await open(), 3);
    // It is written down once the API server has answered, which is after others can see it.
    await vi.waitFor(() => expect(audits()).toEqual([["guard.hold", "applied"]]));
    await clock.advance(700_000);
    events.length = 0;
    const next = await open();
    expect(next.status().guard).toMatchObject({ deleted: 5, limit: 5 });
    expect(next.status().guard?.held.map(({ name, because }) => [name, because])).toEqual([
      ["h1", "It is gone."],
      ["h2", "It is gone."],
      ["h3", "It is gone."],
    ]);
    expect(guardOf(next).verdict(node("another")).kind).toBe("held");
    expect(events).toContain("ConfigMap/cloudwright-controls DeletionGuardHeld");
    expect(audits()).toEqual([["guard.hold", "applied"]]);
  });

  it("lets the released nodes go and holds the others", async () => {
    const controls = await open();
    await trip(controls, 3);
    const reported: string[] = [];
    controls.onReleased((nodes) => reported.push(...nodes.map(({ name }) => name)));
    const action = {
      kind: "release-guard",
      nodes: [node("h1"), node("h2"), node("back")],
    } as const;
    expect(await carryOut(controls, action)).toMatchObject({ kind: "done" });
    expect(reported).toEqual(["h1", "h2"]);
    const guard = guardOf(await open());
    expect(guard.verdict(node("h1"))).toEqual({ kind: "released", by: "ana", intentId: "i-1" });
    expect(await guard.take(node("h2"))).toBe(true);
    expect(guard.verdict(node("h3"))).toMatchObject({ kind: "held", deleted: 5 });
    expect(guard.verdict(node("back")).kind).toBe("held");
    expect(audits()).toEqual([
      ["guard.hold", "applied"],
      ["guard.release", "applied"],
    ]);
    await clock.advance(600_000);
    expect(guard.verdict(node("h1")).kind).toBe("held");
  });

  it("forgets held nodes that came back or are gone, and starts a new window then", async () => {
    const controls = await open();
    await trip(controls, 1);
    const guard = guardOf(controls);
    guard.waits(node("vanished"), "It is gone.");
    guard.waits(node("h1"), undefined);
    await vi.waitFor(() => expect(controls.status().guard?.held).toHaveLength(0));
    await clock.advance(600_000);
    await vi.waitFor(() => expect(guard.verdict(node("x"))).toEqual({ kind: "free" }));
    expect(await guard.take(node("x"))).toBe(true);
    expect(controls.status().guard).toMatchObject({ deleted: 1, limit: 5 });
  });

  it("pauses for the next leader, too, until a user resumes", async () => {
    const until = clock.now() + 1_800_000;
    const first = await open();
    const reported: (readonly string[])[] = [];
    first.onPauses(
      async (pauses) => void reported.push(pauses.map(({ controller }) => controller)),
    );
    const report = await carryOut(first, { kind: "pause", until });
    expect(report).toMatchObject({
      kind: "done",
      result: expect.stringContaining("is paused until"),
    });
    expect(reported).toEqual([[], [NODE_LOOP]]);
    const next = await open();
    expect(next.status().pauses).toMatchObject([{ controller: NODE_LOOP, by: "ana", until }]);
    expect(await carryOut(next, { kind: "pause", until })).toMatchObject({ kind: "done" });
    expect(await carryOut(next, { kind: "resume" }, "i-2")).toMatchObject({ kind: "done" });
    expect(next.status().pauses).toEqual([]);
    expect(audits()).toEqual([
      ["controller.pause", "applied"],
      ["controller.resume", "applied"],
    ]);
    await clock.advance(READ_EVERY_MS);
    await vi.waitFor(() => expect(reported.at(-1)).toEqual([]));
  });

  it("lifts a pause at its end, reports it once, and resumes even if the API server is away", async () => {
    const until = clock.now() + 60_000;
    const first = await open();
    let paused = false;
    first.onPauses(async (pauses) => {
      paused = pauses.length > 0;
    });
    await carryOut(first, { kind: "pause", until });
    expect(paused).toBe(true);
    await open();
    await clock.advance(60_000);
    expect(paused).toBe(false);
    await vi.waitFor(async () => expect((await data()).pauses).toBe("[]"));
    await Promise.all(opened.splice(0).map((controls) => controls.close()));
    expect(audits().filter(([action]) => action === "controller.resume")).toHaveLength(1);
  });

  it("takes a setting at once, for the next leader, too, and until somebody sets it back", async () => {
    const first = await open();
    const period = first.settings.of("node-monitor-period");
    const seen: number[] = [];
    period.onChange(() => seen.push(period.value));
    const set = { kind: "set-setting", setting: "node-monitor-period", from: "5s" } as const;
    expect(await carryOut(first, { ...set, value: "20s" })).toMatchObject({
      kind: "done",
      result: expect.stringContaining("--node-monitor-period is 20s now."),
    });
    expect([period.value, seen]).toEqual([20_000, [20_000]]);
    const next = await open();
    expect(next.settings.of("node-monitor-period").value).toBe(20_000);
    const override = { value: "20s", by: "ana", why: "INC-88", intentId: "i-1" };
    expect(next.status().settings).toContainEqual({
      ...{ setting: "node-monitor-period", flag: "5s" },
      override: { ...override, at: clock.now() },
    });
    expect(next.status().settings?.map(({ setting }) => setting)).not.toContain(
      "volume-drift-period",
    );
    const reset = { ...set, from: "20s", value: "5s", reset: true } as const;
    expect(await carryOut(next, reset, "i-2")).toMatchObject({ kind: "done" });
    expect((await data()).settings).toBe("[]");
    await clock.advance(READ_EVERY_MS);
    await vi.waitFor(() => expect(seen).toEqual([20_000, 5_000]));
    expect(notices).toEqual([
      ...["node-monitor-period 20s", "node-monitor-period 20s"],
      ...["node-monitor-period 5s", "node-monitor-period 5s"],
    ]);
    expect(audits()).toEqual([
      ["setting.change", "applied"],
      ["setting.change", "applied"],
    ]);
    expect(events.filter((event) => event.endsWith("SettingChanged"))).toHaveLength(2);
  });

  it("looks again at nodes that the guard held when it is loosened, and holds them no more", async () => {
    const controls = await open();
    await trip(controls, 2);
    const woken: string[] = [];
    controls.onReleased((nodes, why) => woken.push(...nodes.map(({ name }) => `${name}: ${why}`)));
    const change = {
      setting: "node-deletion-guard",
      from: "5,10%,10m",
      value: "6,10%,10m",
    } as const;
    expect(await carryOut(controls, { kind: "loosen-guard", ...change })).toMatchObject({
      kind: "done",
    });
    expect(woken).toEqual([
      "h1: the deletion guard was changed",
      "h2: the deletion guard was changed",
    ]);
    const guard = guardOf(controls);
    expect([await guard.take(node("h1")), await guard.take(node("h2"))]).toEqual([true, false]);
    const off = { ...change, from: "6,10%,10m", value: "off" } as const;
    await carryOut(controls, { kind: "loosen-guard", ...off }, "i-2");
    expect(controls.status().guard).toBeUndefined();
    expect(guard.verdict(node("h2"))).toEqual({ kind: "free" });
    expect(guardOf(await open()).verdict(node("h2"))).toEqual({ kind: "free" });
  });

  it("follows a setting that is edited by kubectl, and says of what is none that it does not count", async () => {
    const controls = await open();
    const by = { by: "kubectl", why: "no dashboard", at: 1, intentId: "none" };
    const put = (value: string) =>
      edit({
        data: { settings: JSON.stringify([{ setting: "node-monitor-period", value, ...by }]) },
      });
    await put("30s");
    await clock.advance(READ_EVERY_MS);
    await vi.waitFor(() => expect(controls.settings.of("node-monitor-period").value).toBe(30_000));
    await put("1ms");
    await clock.advance(READ_EVERY_MS);
    await vi.waitFor(() => expect(controls.settings.of("node-monitor-period").value).toBe(5_000));
    expect(problems).toEqual([expect.stringContaining("--node-monitor-period must be a duration")]);
  });

  it("rejects what was shown otherwise, with the current plan", async () => {
    const controls = await open();
    const object = { kind: "Controller", name: NODE_LOOP } as const;
    const { signal } = new AbortController();
    const action = requested({ kind: "pause", until: clock.now() + 60_000 });
    const shown = await controls.target.preview(action, object, signal);
    await carryOut(await open(), { kind: "pause", until: clock.now() + 30_000 }, "i-2");
    const { planHash } = shown;
    const report = await controls.target.carryOut({ requested: action, object, planHash }, signal);
    expect(report).toMatchObject({
      kind: "planChanged",
      preview: { plan: { changes: [{ before: { pause: { until: clock.now() + 30_000 } } }] } },
    });
    expect(controls.status().pauses).toMatchObject([{ intentId: "i-2" }]);
  });

  it("follows kubectl's edits, keeps what it does not know, and says what it cannot read", async () => {
    const controls = await open();
    await carryOut(controls, { kind: "pause", until: clock.now() + 1_800_000 });
    await edit({ data: { pauses: "{", note: "of somebody" } });
    await clock.advance(READ_EVERY_MS);
    await vi.waitFor(() => expect(problems).toEqual([expect.stringContaining("pauses")]));
    expect(controls.status().pauses).toEqual([]);
    await controls.text("audit-checkpoint").write('{"seq":12}');
    expect(await guardOf(controls).take(node("a"))).toBe(true);
    expect(await data()).toMatchObject({
      pauses: "{",
      note: "of somebody",
      "audit-checkpoint": '{"seq":12}',
      "deletion-guard": expect.stringContaining("uid-a"),
    });
    expect((await open()).text("audit-checkpoint").read()).toBe('{"seq":12}');
  });

  it("works in memory without the permission, refuses what must outlive it, and catches up once granted", async () => {
    const nobody = await connect(await cluster.kubeconfigOf(`nobody-${namespaces}`));
    const controls = await open(nobody);
    expect(controls.status().unavailable).toContain("cloudwright-controls");
    await expect(
      carryOut(controls, { kind: "pause", until: clock.now() + 60_000 }),
    ).resolves.toMatchObject({ kind: "refused", reason: { code: "ControlRecordUnavailable" } });
    const guard = guardOf(controls);
    for (const name of ["a", "b", "c", "d", "e"]) expect(await guard.take(node(name))).toBe(true);
    expect(await guard.take(node("f"))).toBe(false);
    controls.text("of-a-controller").keep("lb-1");
    await cluster.kubectl(
      ...["create", "role", "controls", `--namespace=${namespace}`],
      ...["--verb=get,create,update", "--resource=configmaps"],
    );
    await cluster.kubectl(
      ...["create", "rolebinding", "controls", `--namespace=${namespace}`],
      ...["--role=controls", "--group=testers"],
    );
    await vi.waitFor(async () => {
      await clock.advance(READ_EVERY_MS);
      expect(controls.status().unavailable).toBeUndefined();
    }, 10_000);
    expect((await data())["deletion-guard"]).toContain("uid-e");
    expect((await data())["of-a-controller"]).toBe("lb-1");
    expect(await carryOut(controls, { kind: "pause", until: clock.now() + 60_000 })).toMatchObject({
      kind: "done",
    });
    await controls.close();
    await nobody.close();
  });

  it("keeps a text for the next leader, and in a dry run to itself", async () => {
    const kept = (controls: Controls) => controls.text("of-a-controller");
    const first = await open();
    kept(first).keep("lb-1");
    expect(kept(first).read()).toBe("lb-1");
    await vi.waitFor(async () => expect((await data())["of-a-controller"]).toBe("lb-1"));
    expect(kept(await open()).read()).toBe("lb-1");
    const before = await data();
    const dry = await open(admin, { dryRun: true });
    kept(dry).keep("");
    expect(kept(dry).read()).toBe("");
    expect(await data()).toEqual(before);
  });

  it("reads only in a dry run, and obeys no pause", async () => {
    await carryOut(await open(), { kind: "pause", until: clock.now() + 60_000 });
    const before = await data();
    const dry = await open(admin, { dryRun: true });
    let reported: unknown;
    dry.onPauses(async (pauses) => {
      reported = pauses;
    });
    expect(await guardOf(dry).take(node("a"))).toBe(true);
    expect(reported).toEqual([]);
    expect(dry.status().pauses).toHaveLength(1);
    expect(await data()).toEqual(before);
  });

  it("foresees in a dry run which deletions would be held, and keeps that to itself", async () => {
    await guardOf(await open()).take(node("a"));
    const before = await data();
    const dry = guardOf(await open(admin, { dryRun: true }));
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const kinds = () => names.map((name) => dry.foresee?.(node(name)).kind);
    const expected = ["free", "free", "free", "free", "free", "held", "held"];
    expect(kinds()).toEqual(expected);
    expect(kinds()).toEqual(expected);
    expect(await data()).toEqual(before);
    expect(guardOf(await open()).foresee).toBeUndefined();
  });

  it("deletes nothing when the record cannot be written though it can be read", async () => {
    let isAway: boolean = false;
    const flaky = {
      get: admin.get,
      create: admin.create,
      update: ((...[target, object, options]: Parameters<KubeClient["update"]>) =>
        admin.update(target, object, {
          ...options,
          ...(isAway ? { signal: AbortSignal.abort() } : {}),
        })) as KubeClient["update"],
    };
    const guard = guardOf(await open(flaky));
    isAway = true;
    await expect(guard.take(node("a"))).rejects.toMatchObject({ code: "Unavailable" });
    isAway = false;
    expect(await guard.take(node("a"))).toBe(true);
  });
});
