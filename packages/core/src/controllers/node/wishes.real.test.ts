import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NODES, type Node } from "../../kube/client.ts";
import { systemClock } from "../../kube/system-clock.ts";
import { testClusterFolder } from "../../kube/testing/test-cluster.ts";
import type { Intent } from "../../model/intent.ts";
import type { Asked, ObjectWish } from "../../model/wish.ts";
import { startIntents } from "../../reconcile/intents/intents.ts";
import { refusalOf } from "../../reconcile/intents/refusal.ts";
import type { RetryReport } from "../../reconcile/loop-port.ts";
import type { IntentReport } from "../../reconcile/ports.ts";
import { HOLD_ANNOTATION, HOLD_BY_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import { isUninitialised, type Taint, taintsOf } from "../objects/node-object.ts";
import { annotationOf, uidOf } from "../objects/object-meta.ts";
import { found, UNINITIALIZED } from "../testing/node-fixture.ts";
import { type RealCluster, startRealCluster } from "../testing/real-cluster.ts";
import { OVERRIDE_ANNOTATION } from "./override.ts";
import { type RealNodeLoop, startRealNodeLoop } from "./testing/real-node-loop.ts";

const folder = testClusterFolder();
const OWN_TAINT: Taint = { key: "example.org/own", effect: "NoExecute", value: "x" };
const PATIENCE = { timeout: 20_000, interval: 50 };
const LATER_MS = 3_600_000;
const SOON_MS = 1_500;

describe.skipIf(folder === undefined)("wishes on a real API server", { timeout: 60_000 }, () => {
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

  function askedFor(wish: ObjectWish): Asked<ObjectWish> {
    intents += 1;
    return { wish, intentId: `i-${intents}`, by: "Ada", why: "INC-88: by hand" };
  }

  function wishFor(name: string, asked: Asked<ObjectWish>, planHash?: string) {
    const { intentId, by: actor } = asked;
    return running.loop.retry(name, { intentId, actor, asked, planHash });
  }

  function look(name: string, asked: Asked<ObjectWish>) {
    const { signal } = new AbortController();
    return running.loop.look(name, { trigger: { kind: "period" }, asked, signal });
  }

  /** Registers a node that carries the uninitialized taint beside another, and waits until its first run. */
  async function register(name: string): Promise<void> {
    await cluster.create(NODES, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      spec: { taints: [OWN_TAINT, UNINITIALIZED] },
    } as Node);
    await eventually(() => expect(running.outcomes.get(name)).toBeDefined());
  }

  /** Waits until the node is so. */
  async function becomes(name: string, check: (node: Node) => void): Promise<void> {
    await vi.waitFor(async () => check(await cluster.getNode(name)), PATIENCE);
  }

  /** The records of a run follow its last write by a moment. */
  function eventually(check: () => void): Promise<void> {
    return vi.waitFor(check, PATIENCE);
  }

  function expectRan(report: RetryReport): void {
    expect(report).toMatchObject({ kind: "ran", run: { applied: 1 } });
  }

  async function expectDone(name: string, asked: Asked<ObjectWish>): Promise<void> {
    const seen = await look(name, asked);
    const refusal = seen === undefined ? undefined : refusalOf(seen.plan, asked.wish);
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
    const asked = askedFor({ kind: "hold", until });
    expectRan(await wishFor("h1", asked));
    running.cloud.set("h1", found({ providerID: "p://h1" }));
    await expectDone("h1", asked);
    const node = await cluster.getNode("h1");
    expect(isUninitialised(node)).toBe(true);
    expect(node.metadata?.annotations).toMatchObject({
      [HOLD_ANNOTATION]: "INC-88: by hand",
      [HOLD_UNTIL_ANNOTATION]: new Date(until).toISOString(),
      [HOLD_BY_ANNOTATION]: "Ada",
    });
    const end = systemClock.now() + SOON_MS;
    const sooner = askedFor({ kind: "hold", until: end });
    expectRan(await wishFor("h1", sooner));
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
        `node.hold applied ${asked.intentId}`,
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

  it("a hold that kubectl set has no end and is released by a person", async () => {
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
    const asked = askedFor({ kind: "release" });
    expectRan(await wishFor("h2", asked));
    await expectDone("h2", asked);
    await becomes("h2", (now) => expect(isUninitialised(now)).toBe(false));
    await eventually(() => expect(audited("h2")[0]).toBe(`node.release applied ${asked.intentId}`));
    await eventually(() =>
      expect(eventsOf("h2")).toContainEqual(
        expect.stringMatching(/^Normal Released: Ada asked for it: INC-88/),
      ),
    );
  });

  it("a hold is not written over one that somebody set since it was shown", async () => {
    await register("h3");
    const asked = askedFor({ kind: "hold", until: systemClock.now() + LATER_MS });
    const shown = await look("h3", asked);
    await cluster.kubectl("annotate", "node", "h3", `${HOLD_ANNOTATION}=mine`);
    const report = await wishFor("h3", asked, shown?.planHash);
    expect(report).toMatchObject({
      kind: "planChanged",
      look: { plan: { changes: [{ kind: "node.hold", before: { hold: { until: null } } }] } },
    });
    expect(annotationOf(await cluster.getNode("h3"), HOLD_ANNOTATION)).toBe("mine");
  });

  it("an override frees the node, and it is finished when the cloud answers", async () => {
    await register("o1");
    const until = systemClock.now() + LATER_MS;
    const asked = askedFor({ kind: "override", until });
    const shown = await look("o1", asked);
    expectRan(await wishFor("o1", asked, shown?.planHash));
    await expectDone("o1", asked);
    const freed = await cluster.getNode("o1");
    expect(ownTaints(freed)).toEqual([OWN_TAINT.key]);
    expect(JSON.parse(annotationOf(freed, OVERRIDE_ANNOTATION) ?? "")).toEqual({
      by: "Ada",
      why: "INC-88: by hand",
      until: new Date(until).toISOString(),
      intent: asked.intentId,
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
    await expectDone("o1", asked);
    await eventually(() =>
      expect(audited("o1")[0]).toBe(`node.override applied ${asked.intentId}`),
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
    const asked = askedFor({ kind: "override", until: systemClock.now() + SOON_MS });
    expectRan(await wishFor("o2", asked));
    await becomes("o2", (now) => {
      expect(taintsOf(now)).toEqual(expect.arrayContaining([OWN_TAINT, UNINITIALIZED]));
      expect(annotationOf(now, OVERRIDE_ANNOTATION)).toBeUndefined();
    });
    await eventually(() =>
      expect(audited("o2")).toEqual([
        `node.override applied ${asked.intentId}`,
        "node.override-end applied -",
      ]),
    );
    running.cloud.set("o2", found({ providerID: "p://o2" }));
    await becomes("o2", (now) => expect(isUninitialised(now)).toBe(false));
  });

  it("a freed node without any taint left is held: its taint comes back and stays", async () => {
    await register("o3");
    await cluster.kubectl("taint", "node", "o3", `${OWN_TAINT.key}:NoExecute-`);
    await cluster.kubectl("taint", "node", "o3", "node.kubernetes.io/not-ready:NoSchedule-");
    expectRan(
      await wishFor("o3", askedFor({ kind: "override", until: systemClock.now() + LATER_MS })),
    );
    expect(taintsOf(await cluster.getNode("o3"))).toEqual([]);
    const asked = askedFor({ kind: "hold", until: systemClock.now() + LATER_MS });
    running.cloud.set("o3", found({ providerID: "p://o3" }));
    const report = await wishFor("o3", asked);
    expect(report).toMatchObject({ kind: "ran", run: { applied: 2, state: "held" } });
    await expectDone("o3", asked);
    const node = await cluster.getNode("o3");
    expect(taintsOf(node)).toEqual([UNINITIALIZED]);
    expect(annotationOf(node, OVERRIDE_ANNOTATION)).toBeUndefined();
  });

  it.each<[string, ObjectWish]>([
    ["f1", { kind: "hold", until: systemClock.now() + LATER_MS }],
    ["f2", { kind: "override", until: systemClock.now() + LATER_MS }],
    ["f3", { kind: "release" }],
  ])(
    "a leader that takes over sees on %s what the one before had written, and does not write it again",
    async (name, wish) => {
      await register(name);
      if (wish.kind === "release") {
        await cluster.kubectl("annotate", "node", name, `${HOLD_ANNOTATION}=mine`);
        await eventually(() => expect(running.outcomes.get(name)?.state).toBe("held"));
      }
      const asked = askedFor(wish);
      const shown = await look(name, asked);
      expectRan(await wishFor(name, asked, shown?.planHash));
      await running.stop();
      running = startRealNodeLoop(cluster);
      const reports = await takeOver(name, asked, shown?.planHash);
      expect(reports.map(({ state }) => state)).toEqual(["running", "verified"]);
      const action = `node.${wish.kind}`;
      expect(audited(name).filter((entry) => entry.startsWith(action))).toEqual([]);
    },
  );

  /** Offers the intent as the leader before had left it, and waits for its end. */
  async function takeOver(
    name: string,
    { wish, intentId, by, why }: Asked<ObjectWish>,
    planHash?: string,
  ): Promise<readonly IntentReport[]> {
    const intent: Intent = {
      id: intentId,
      cluster: "cluster-1",
      kind: wish.kind,
      wish,
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
