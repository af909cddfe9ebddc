import { describe, expect, it, vi } from "vitest";
import type { KubeClient } from "../../kube/client.ts";
import { testClusterFolder } from "../../kube/testing/test-cluster.ts";
import type { Controls } from "./open-controls.ts";
import {
  carryOut,
  connect,
  NODE_LOOP,
  node,
  requestedAction,
  trip,
  useControlRecord,
} from "./testing/control-record.ts";

const folder = testClusterFolder();
const READ_EVERY_MS = 15_000;

describe.skipIf(folder === undefined)("the control record on a real API server", () => {
  const { server, clock, ...leaders } = useControlRecord(folder ?? "");
  const { events, problems, notices, open, closeAll, audits } = leaders;
  const { data, edit } = server;

  it("lets exactly the limit through when many ask at once, in few writes", async () => {
    let writes = 0;
    const counting = {
      get: server.admin.get,
      create: server.admin.create,
      update: ((...call: Parameters<KubeClient["update"]>) => {
        writes += 1;
        return server.admin.update(...call);
      }) as KubeClient["update"],
    };
    const guard = (await open(counting)).guard;
    const nodes = Array.from({ length: 20 }, (_, index) => node(`n${index}`));
    const answers = await Promise.all(nodes.map((one) => guard.take(one)));
    expect(answers.filter((isTaken) => isTaken)).toHaveLength(5);
    expect(writes).toBeLessThanOrEqual(3);
    expect(guard.verdict(node("n0"))).toEqual({ kind: "free" });
    expect(guard.verdict(node("n19"))).toMatchObject({ kind: "held", deleted: 5, limit: 5 });
  });

  it("continues the count of the previous leader, whose own late count has no effect", async () => {
    const before = (await open()).guard;
    for (const name of ["a", "b", "c"]) expect(await before.take(node(name))).toBe(true);
    const next = (await open()).guard;
    for (const name of ["d", "e"]) expect(await next.take(node(name))).toBe(true);
    expect(await next.take(node("f"))).toBe(false);
    expect(before.verdict(node("g"))).toEqual({ kind: "free" });
    expect(await before.take(node("g"))).toBe(false);
  });

  it("keeps holding after a failover and the window's end, and raises the alarm again", async () => {
    await trip(await open(), 3, data);
    // The audit entry follows the API server's answer, which comes after others can see the write.
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
    expect(next.guard.verdict(node("another")).kind).toBe("held");
    expect(events).toContain("ConfigMap/cloudwright-controls DeletionGuardHeld");
    expect(audits()).toEqual([["guard.hold", "applied"]]);
  });

  it("lets released nodes through and holds the others", async () => {
    const controls = await open();
    await trip(controls, 3, data);
    const reported: string[] = [];
    controls.onReleased((nodes) => reported.push(...nodes.map(({ name }) => name)));
    const action = {
      kind: "release-guard",
      nodes: [node("h1"), node("h2"), node("back")],
    } as const;
    expect(await carryOut(controls, action)).toMatchObject({ kind: "done" });
    expect(reported).toEqual(["h1", "h2"]);
    const guard = (await open()).guard;
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

  it("forgets held nodes that came back or are gone, and then starts a new window", async () => {
    const controls = await open();
    await trip(controls, 1, data);
    const guard = controls.guard;
    guard.waits(node("vanished"), "It is gone.");
    guard.waits(node("h1"), undefined);
    await vi.waitFor(() => expect(controls.status().guard?.held).toHaveLength(0));
    await clock.advance(600_000);
    await vi.waitFor(() => expect(guard.verdict(node("x"))).toEqual({ kind: "free" }));
    expect(await guard.take(node("x"))).toBe(true);
    expect(controls.status().guard).toMatchObject({ deleted: 1, limit: 5 });
  });

  it("pauses the next leader as well, until a user resumes", async () => {
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

  it("lifts a pause at its end, reports it once, and resumes even if the API server is unavailable", async () => {
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
    await closeAll();
    expect(audits().filter(([action]) => action === "controller.resume")).toHaveLength(1);
  });

  it("applies a setting at once, for the next leader as well, until somebody sets it back", async () => {
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

  it("reconsiders held nodes when the guard is loosened, and holds them no more", async () => {
    const controls = await open();
    await trip(controls, 2, data);
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
    const guard = controls.guard;
    expect([await guard.take(node("h1")), await guard.take(node("h2"))]).toEqual([true, false]);
    const off = { ...change, from: "6,10%,10m", value: "off" } as const;
    await carryOut(controls, { kind: "loosen-guard", ...off }, "i-2");
    expect(controls.status().guard).toBeUndefined();
    expect(guard.verdict(node("h2"))).toEqual({ kind: "free" });
    expect((await open()).guard.verdict(node("h2"))).toEqual({ kind: "free" });
  });

  it("follows a setting edited with kubectl, and reports an invalid one as ignored", async () => {
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

  it("rejects an action whose plan has changed since it was shown, with the current plan", async () => {
    const controls = await open();
    const object = { kind: "Controller", name: NODE_LOOP } as const;
    const { signal } = new AbortController();
    const action = requestedAction({ kind: "pause", until: clock.now() + 60_000 });
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

  it("follows edits made with kubectl, keeps unknown keys, and reports what it cannot read", async () => {
    const controls = await open();
    await carryOut(controls, { kind: "pause", until: clock.now() + 1_800_000 });
    await edit({ data: { pauses: "{", note: "of somebody" } });
    await clock.advance(READ_EVERY_MS);
    await vi.waitFor(() => expect(problems).toEqual([expect.stringContaining("pauses")]));
    expect(controls.status().pauses).toEqual([]);
    await controls.text("audit-checkpoint").write('{"seq":12}');
    expect(await controls.guard.take(node("a"))).toBe(true);
    expect(await data()).toMatchObject({
      pauses: "{",
      note: "of somebody",
      "audit-checkpoint": '{"seq":12}',
      "deletion-guard": expect.stringContaining("uid-a"),
    });
    expect((await open()).text("audit-checkpoint").read()).toBe('{"seq":12}');
  });

  it("works in memory without permission, refuses what must outlive it, and catches up once granted", async () => {
    const nobody = await connect(await server.cluster.kubeconfigOf(`nobody-${server.namespace}`));
    const controls = await open(nobody);
    expect(controls.status().unavailable).toContain("cloudwright-controls");
    await expect(
      carryOut(controls, { kind: "pause", until: clock.now() + 60_000 }),
    ).resolves.toMatchObject({ kind: "refused", reason: { code: "ControlRecordUnavailable" } });
    const guard = controls.guard;
    for (const name of ["a", "b", "c", "d", "e"]) expect(await guard.take(node(name))).toBe(true);
    expect(await guard.take(node("f"))).toBe(false);
    controls.text("of-a-controller").keep("lb-1");
    await server.cluster.kubectl(
      ...["create", "role", "controls", `--namespace=${server.namespace}`],
      ...["--verb=get,create,update", "--resource=configmaps"],
    );
    await server.cluster.kubectl(
      ...["create", "rolebinding", "controls", `--namespace=${server.namespace}`],
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

  it("keeps a text for the next leader, but keeps it to itself in a dry run", async () => {
    const kept = (controls: Controls) => controls.text("of-a-controller");
    const first = await open();
    kept(first).keep("lb-1");
    expect(kept(first).read()).toBe("lb-1");
    await vi.waitFor(async () => expect((await data())["of-a-controller"]).toBe("lb-1"));
    expect(kept(await open()).read()).toBe("lb-1");
    const before = await data();
    const dry = await open(server.admin, { dryRun: true });
    kept(dry).keep("");
    expect(kept(dry).read()).toBe("");
    expect(await data()).toEqual(before);
  });

  it("only reads in a dry run, and follows no pause", async () => {
    await carryOut(await open(), { kind: "pause", until: clock.now() + 60_000 });
    const before = await data();
    const dry = await open(server.admin, { dryRun: true });
    let reported: unknown;
    dry.onPauses(async (pauses) => {
      reported = pauses;
    });
    expect(await dry.guard.take(node("a"))).toBe(true);
    expect(reported).toEqual([]);
    expect(dry.status().pauses).toHaveLength(1);
    expect(await data()).toEqual(before);
  });

  it("foresees in a dry run which deletions would be held, and keeps that to itself", async () => {
    await (await open()).guard.take(node("a"));
    const before = await data();
    const dry = (await open(server.admin, { dryRun: true })).guard;
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const kinds = () => names.map((name) => dry.foresee?.(node(name)).kind);
    const expected = ["free", "free", "free", "free", "free", "held", "held"];
    expect(kinds()).toEqual(expected);
    expect(kinds()).toEqual(expected);
    expect(await data()).toEqual(before);
    expect((await open()).guard.foresee).toBeUndefined();
  });

  it("deletes nothing when the record cannot be written though it can be read", async () => {
    let isAway: boolean = false;
    const flaky = {
      get: server.admin.get,
      create: server.admin.create,
      update: ((...[target, object, options]: Parameters<KubeClient["update"]>) =>
        server.admin.update(target, object, {
          ...options,
          ...(isAway ? { signal: AbortSignal.abort() } : {}),
        })) as KubeClient["update"],
    };
    const guard = (await open(flaky)).guard;
    isAway = true;
    await expect(guard.take(node("a"))).rejects.toMatchObject({ code: "Unavailable" });
    isAway = false;
    expect(await guard.take(node("a"))).toBe(true);
  });
});
