import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NODES, type Node } from "../../../kube/client.ts";
import { systemClock } from "../../../kube/system-clock.ts";
import { testClusterFolder } from "../../../kube/testing/test-cluster.ts";
import type { ObjectAction, RequestedAction } from "../../../model/actions/action.ts";
import type { Intent } from "../../../model/actions/intent.ts";
import { startIntents } from "../../../reconcile/intents/intents.ts";
import { refusalOf } from "../../../reconcile/intents/refusal.ts";
import type { RetryReport } from "../../../reconcile/loop-port.ts";
import type { IntentReport } from "../../../reconcile/ports.ts";
import { HOLD_ANNOTATION, HOLD_BY_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../../hold/hold.ts";
import { isUninitialised, type Taint, taintsOf } from "../../objects/node-object.ts";
import { annotationOf, uidOf } from "../../objects/object-meta.ts";
import { found, UNINITIALIZED } from "../../testing/node-fixture.ts";
import { type RealCluster, startRealCluster } from "../../testing/real-cluster.ts";
import { type RealNodeLoop, startRealNodeLoop } from "../testing/real-node-loop.ts";
import { OVERRIDE_ANNOTATION } from "./override.ts";

const folder = testClusterFolder();
const OWN_TAINT: Taint = { key: "example.org/own", effect: "NoExecute", value: "x" };
const PATIENCE = { timeout: 20_000, interval: 50 };
const LATER_MS = 3_600_000;
const SOON_MS = 1_500;

describe.skipIf(folder === undefined)("actions on a real API server", { timeout: 60_000 }, () => {
  let cluster: RealCluster;
  let running: RealNodeLoop;
  let intents = 0;

  beforeAll(async () => {
    cluster = await startRealCluster(folder ?? "");
    running = startRealNodeLoop(cluster);
  });
  afterAll(async () => {
    await running?.stop();
    await cluster?.close();
  });

  function requestedFor(wanted: ObjectAction): RequestedAction<ObjectAction> {
    intents += 1;
    return { action: wanted, intentId: `i-${intents}`, by: "Ada", why: "INC-88: by hand" };
  }

  function actionFor(name: string, requested: RequestedAction<ObjectAction>, planHash?: string) {
    const { intentId, by: actor } = requested;
    return running.loop.retry(name, { intentId, actor, requested, planHash });
  }

  function preview(name: string, requested: RequestedAction<ObjectAction>) {
    const { signal } = new AbortController();
    return running.loop.preview(name, { trigger: { kind: "period" }, requested, signal });
  }

  /** Registers a node that carries the uninitialized taint and another one, and waits for the end of its first run. */
  async function register(name: string): Promise<void> {
    await cluster.create(NODES, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      spec: { taints: [OWN_TAINT, UNINITIALIZED] },
    } as Node);
    await eventually(() => expect(running.outcomes.get(name)).toBeDefined());
  }

  /** Waits until the node passes the check. */
  async function becomes(name: string, check: (node: Node) => void): Promise<void> {
    await vi.waitFor(async () => check(await cluster.getNode(name)), PATIENCE);
  }

  /** Retries a check, as the records of a run follow its last write by a moment. */
  function eventually(check: () => void): Promise<void> {
    return vi.waitFor(check, PATIENCE);
  }

  function expectRan(report: RetryReport): void {
    expect(report).toMatchObject({ kind: "ran", run: { applied: 1 } });
  }

  async function expectDone(name: string, requested: RequestedAction<ObjectAction>): Promise<void> {
    const seen = await preview(name, requested);
    const refusal = seen === undefined ? undefined : refusalOf(seen.plan, requested.action);
    expect(refusal?.code).toBe("NothingToDo");
  }

  function audited(name: string): readonly string[] {
    return running.records.flatMap((record) =>
      record.type === "audit" && record.object?.name === name
        ? [`${record.action} ${record.result} ${record.intentId ?? "-"}`]
        : [],
    );
  }

  function eventsOf(name: string): readonly string[] {
    return running.events
      .filter((event) => event.startsWith(`${name} `))
      .map((event) => event.slice(name.length + 1));
  }

  function ownTaints(node: Node): readonly string[] {
    return taintsOf(node)
      .map(({ key }) => key)
      .filter((key) => !key.startsWith("node.kubernetes.io/"));
  }

  it("a hold keeps a node uninitialised, lifts by itself at its end, and the node is initialised", async () => {
    await register("h1");
    const until = systemClock.now() + LATER_MS;
    const requested = requestedFor({ kind: "hold", until });
    expectRan(await actionFor("h1", requested));
    running.cloud.set("h1", found({ providerID: "p://h1" }));
    await expectDone("h1", requested);
    const node = await cluster.getNode("h1");
    expect(isUninitialised(node)).toBe(true);
    expect(node.metadata?.annotations).toMatchObject({
      [HOLD_ANNOTATION]: "INC-88: by hand",
      [HOLD_UNTIL_ANNOTATION]: new Date(until).toISOString(),
      [HOLD_BY_ANNOTATION]: "Ada",
    });
    const end = systemClock.now() + SOON_MS;
    const sooner = requestedFor({ kind: "hold", until: end });
    expectRan(await actionFor("h1", sooner));
    await becomes("h1", (now) => {
      expect(isUninitialised(now)).toBe(false);
      expect(annotationOf(now, HOLD_ANNOTATION)).toBeUndefined();
      expect(annotationOf(now, HOLD_UNTIL_ANNOTATION)).toBeUndefined();
      expect(annotationOf(now, HOLD_BY_ANNOTATION)).toBeUndefined();
      expect(now.spec?.providerID).toBe("p://h1");
    });
    expect(systemClock.now()).toBeGreaterThanOrEqual(end);
    await eventually(() =>
      expect(audited("h1")).toEqual([
        `node.hold applied ${requested.intentId}`,
        `node.hold applied ${sooner.intentId}`,
        "node.release applied -",
        "node.addresses applied -",
        "node.initialise applied -",
      ]),
    );
    await eventually(() =>
      expect(eventsOf("h1")).toEqual([
        expect.stringMatching(/^Warning ProviderUnavailable: /),
        expect.stringMatching(/^Normal Held: .*Ada.*INC-88/),
        expect.stringMatching(/^Normal Held: /),
        expect.stringMatching(/^Normal Released: .*hold by Ada was set to end/),
        "Normal Synced: Node synced successfully",
      ]),
    );
  });

  it("a hold that kubectl set has no end and is released by a user", async () => {
    await register("h2");
    await cluster.kubectl("annotate", "node", "h2", `${HOLD_ANNOTATION}=moving racks`);
    await eventually(() =>
      expect(running.outcomes.get("h2")).toMatchObject({
        state: "held",
        reason: { why: "moving racks" },
        nextAt: undefined,
      }),
    );
    running.cloud.set("h2", found({ providerID: "p://h2" }));
    const requested = requestedFor({ kind: "release" });
    expectRan(await actionFor("h2", requested));
    await expectDone("h2", requested);
    await becomes("h2", (now) => expect(isUninitialised(now)).toBe(false));
    await eventually(() =>
      expect(audited("h2")[0]).toBe(`node.release applied ${requested.intentId}`),
    );
    await eventually(() =>
      expect(eventsOf("h2")).toContainEqual(
        expect.stringMatching(/^Normal Released: Ada asked for it: INC-88/),
      ),
    );
  });

  it("a hold does not overwrite one that somebody set since the preview", async () => {
    await register("h3");
    const requested = requestedFor({ kind: "hold", until: systemClock.now() + LATER_MS });
    const shown = await preview("h3", requested);
    await cluster.kubectl("annotate", "node", "h3", `${HOLD_ANNOTATION}=mine`);
    const report = await actionFor("h3", requested, shown?.planHash);
    expect(report).toMatchObject({
      kind: "planChanged",
      preview: { plan: { changes: [{ kind: "node.hold", before: { hold: { until: null } } }] } },
    });
    expect(annotationOf(await cluster.getNode("h3"), HOLD_ANNOTATION)).toBe("mine");
  });

  it("an override removes the taint, and the node is initialised when the cloud answers", async () => {
    await register("o1");
    const until = systemClock.now() + LATER_MS;
    const requested = requestedFor({ kind: "override", until });
    const shown = await preview("o1", requested);
    expectRan(await actionFor("o1", requested, shown?.planHash));
    await expectDone("o1", requested);
    const overridden = await cluster.getNode("o1");
    expect(ownTaints(overridden)).toEqual([OWN_TAINT.key]);
    expect(JSON.parse(annotationOf(overridden, OVERRIDE_ANNOTATION) ?? "")).toEqual({
      by: "Ada",
      why: "INC-88: by hand",
      until: new Date(until).toISOString(),
      intent: requested.intentId,
    });
    await eventually(() =>
      expect(running.outcomes.get("o1")).toMatchObject({
        state: "waiting",
        reason: { code: "FreedUnfinished", by: "Ada", untilMs: until },
      }),
    );
    running.cloud.set("o1", found({ providerID: "p://o1" }));
    await cluster.kubectl("label", "node", "o1", "example.org/touched=yes");
    await becomes("o1", (now) => {
      expect(now.spec?.providerID).toBe("p://o1");
      expect(annotationOf(now, OVERRIDE_ANNOTATION)).toBeUndefined();
      expect(now.metadata?.labels).toMatchObject({ "topology.kubernetes.io/zone": "z1" });
      expect(ownTaints(now)).toEqual([OWN_TAINT.key]);
    });
    await expectDone("o1", requested);
    await eventually(() =>
      expect(audited("o1")[0]).toBe(`node.override applied ${requested.intentId}`),
    );
    await eventually(() =>
      expect(eventsOf("o1")).toEqual([
        expect.stringMatching(/^Warning ProviderUnavailable: /),
        expect.stringMatching(/^Normal TaintOverridden: Ada overrode its taint .*INC-88/),
        "Normal Synced: Node synced successfully",
      ]),
    );
  });

  it("an override ends with the taint back on a node that is still unfinished", async () => {
    await register("o2");
    const requested = requestedFor({ kind: "override", until: systemClock.now() + SOON_MS });
    expectRan(await actionFor("o2", requested));
    await becomes("o2", (now) => {
      expect(taintsOf(now)).toEqual(expect.arrayContaining([OWN_TAINT, UNINITIALIZED]));
      expect(annotationOf(now, OVERRIDE_ANNOTATION)).toBeUndefined();
    });
    await eventually(() =>
      expect(audited("o2")).toEqual([
        `node.override applied ${requested.intentId}`,
        "node.override-end applied -",
      ]),
    );
    running.cloud.set("o2", found({ providerID: "p://o2" }));
    await becomes("o2", (now) => expect(isUninitialised(now)).toBe(false));
  });

  it("a node with an overridden taint and no other is held: its taint comes back and stays", async () => {
    await register("o3");
    await cluster.kubectl("taint", "node", "o3", `${OWN_TAINT.key}:NoExecute-`);
    await cluster.kubectl("taint", "node", "o3", "node.kubernetes.io/not-ready:NoSchedule-");
    expectRan(
      await actionFor(
        "o3",
        requestedFor({ kind: "override", until: systemClock.now() + LATER_MS }),
      ),
    );
    expect(taintsOf(await cluster.getNode("o3"))).toEqual([]);
    const requested = requestedFor({ kind: "hold", until: systemClock.now() + LATER_MS });
    running.cloud.set("o3", found({ providerID: "p://o3" }));
    const report = await actionFor("o3", requested);
    expect(report).toMatchObject({ kind: "ran", run: { applied: 2, state: "held" } });
    await expectDone("o3", requested);
    const node = await cluster.getNode("o3");
    expect(taintsOf(node)).toEqual([UNINITIALIZED]);
    expect(annotationOf(node, OVERRIDE_ANNOTATION)).toBeUndefined();
  });

  it.each<[string, ObjectAction]>([
    ["f1", { kind: "hold", until: systemClock.now() + LATER_MS }],
    ["f2", { kind: "override", until: systemClock.now() + LATER_MS }],
    ["f3", { kind: "release" }],
  ])(
    "a new leader sees on %s what the previous one had written, and does not write it again",
    async (name, wanted) => {
      await register(name);
      if (wanted.kind === "release") {
        await cluster.kubectl("annotate", "node", name, `${HOLD_ANNOTATION}=mine`);
        await eventually(() => expect(running.outcomes.get(name)?.state).toBe("held"));
      }
      const requested = requestedFor(wanted);
      const shown = await preview(name, requested);
      expectRan(await actionFor(name, requested, shown?.planHash));
      await running.stop();
      running = startRealNodeLoop(cluster);
      const reports = await takeOver(name, requested, shown?.planHash);
      expect(reports.map(({ state }) => state)).toEqual(["running", "verified"]);
      const action = `node.${wanted.kind}`;
      expect(audited(name).filter((entry) => entry.startsWith(action))).toEqual([]);
    },
  );

  /** Offers the intent in the state in which the previous leader left it, and waits for its end. */
  async function takeOver(
    name: string,
    { action: wanted, intentId, by, why }: RequestedAction<ObjectAction>,
    planHash?: string,
  ): Promise<readonly IntentReport[]> {
    const intent: Intent = {
      id: intentId,
      cluster: "cluster-1",
      kind: wanted.kind,
      action: wanted,
      controller: "cloud-node-controller",
      object: { kind: "Node", name, uid: uidOf(await cluster.getNode(name)) },
      why,
      actor: by,
      state: "running",
      requestedAt: 0,
      expiresAt: LATER_MS,
      planHash,
      runIds: [],
    };
    const reports: IntentReport[] = [];
    const ends = new AbortController();
    startIntents({
      source: {
        watch: (handler) => handler(intent),
        claim: () => Promise.resolve(true),
        report: (_intent, _claimant, report) => {
          reports.push(report);
          return Promise.resolve(true);
        },
      },
      loops: new Map([["cloud-node-controller", running.loop]]),
      claimant: { identity: "host_2", leaseTransitions: 2 },
      clock: systemClock,
      signal: ends.signal,
      onError: (error) => {
        throw error;
      },
    });
    await eventually(() => expect(reports.at(-1)?.result).toBeDefined());
    ends.abort();
    return reports;
  }
});
