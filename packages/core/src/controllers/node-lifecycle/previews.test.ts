import { type InstanceFacts, type Lookup, ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { fixed } from "../../model/values/live-value.ts";
import type { DeletionGuard, GuardVerdict } from "../../reconcile/deletion-guard.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { found } from "../testing/node-fixture.ts";
import { type NodeLoopEnvironment, startNodeLoop } from "../testing/node-loop-fixture.ts";
import { expectPreviewsLeaveNothing } from "../testing/previews.ts";
import { LifecycleChecks } from "./checks.ts";
import { createNodeLifecycleReconciler } from "./create-node-lifecycle-reconciler.ts";
import { nodeLifecycleModule } from "./module.ts";
import { startNodeLifecycleController } from "./start-node-lifecycle-controller.ts";

const MONITOR_MS = 5_000;
const HOUR_MS = 3_600_000;
const HELD: GuardVerdict = { kind: "held", deleted: 5, limit: 5, windowMs: 600_000, held: 1 };
const AWAY = new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" });

/**
 * Starts the lifecycle loop with a guard that the test controls, and records what that is asked to count and to
 * hold.
 */
async function started({ dryRun = false } = {}) {
  const guarded: string[] = [];
  const passes: number[] = [];
  const says: { verdict: GuardVerdict } = { verdict: { kind: "free" } };
  const guard: DeletionGuard = {
    verdict: () => says.verdict,
    take: async ({ uid }) => guarded.push(`take ${uid}`) > 0,
    foresee: ({ uid }) => {
      guarded.push(`foresee ${uid}`);
      return says.verdict;
    },
    waits: ({ uid }, because) => void guarded.push(`waits ${uid} ${because}`),
  };
  const answer = powered("running");
  const environment = await startNodeLoop({ answer }, ({ clock, queue, nodes, instances }) => {
    const { client, informer } = nodes;
    const checks = new LifecycleChecks(clock, (seconds) => passes.push(seconds));
    const policy = { newNodeGraceMs: HOUR_MS, monitorPeriodMs: MONITOR_MS };
    const shared = { informer, clock, queue, checks, guard, provider: "p", client, instances };
    return {
      dryRun,
      controller: nodeLifecycleModule,
      reconciler: createNodeLifecycleReconciler({
        ...shared,
        policy,
        sightings: watchNodes(informer, clock),
      }),
      ended: (outcome) => checks.ended(outcome),
      feed: () => startNodeLifecycleController({ ...shared, period: fixed(MONITOR_MS) }),
    };
  });
  return { ...environment, guarded, passes, says };
}

type Environment = Awaited<ReturnType<typeof started>>;

function powered(power: InstanceFacts["power"]): () => Lookup {
  return () => found({ power });
}

/** Answers that neither of two nodes' machines is listed, and that each one read alone is absent. */
function gone({ clock }: NodeLoopEnvironment): NodeLoopEnvironment["cloud"]["answer"] {
  return ({ mode }) => {
    if (mode === "batch") return { kind: "notListed" };
    const proof = { by: "providerID", cloudShowsOthers: true, at: clock.now() } as const;
    return { kind: "absent", proof: { ...proof, requestId: "req-1" } };
  };
}

/** Returns everything that was published, counted, held, remembered and written so far. */
function traces({ effects, nodes, guarded, passes, outcomes, loop }: Environment) {
  return {
    effects: [...effects],
    writes: [...nodes.writes],
    nodes: nodes.informer.list(),
    guarded: [...guarded],
    passes: [...passes],
    runs: outcomes.map(({ object, outcome, reason, written, unwritten }) => [
      ...[object.name, outcome, reason, written.length, unwritten],
    ]),
    memory: KEYS.map((name) => loop.memoryStore.of(name, loop.object(name).uid)),
  };
}

const KEYS = ["n1", "n2"];
const scenario = { keys: KEYS, traces, start: () => started() };

function silent({ nodes }: Environment): void {
  for (const name of KEYS) {
    nodes.register({ name, ready: "Unknown", providerID: `p://${name}` });
  }
}

it("leave no trace of nodes whose machines stop, start and cannot be looked up", () =>
  expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    steps: [
      silent,
      ({ cloud }) => {
        cloud.answer = powered("stopped");
      },
      ({ cloud }) => {
        cloud.answer = () => ({ kind: "failed", error: AWAY });
      },
      ({ cloud }) => {
        cloud.answer = powered("running");
      },
      ({ nodes }) => nodes.register({ name: "n1", ready: "True", providerID: "p://n1" }),
    ],
    ended: ({ outcomes }) =>
      expect(outcomes.flatMap(({ written }) => written.map(({ kind }) => kind))).toEqual([
        ...["node.shutdown-taint.add", "node.shutdown-taint.add"],
        ...["node.shutdown-taint.remove", "node.shutdown-taint.remove"],
      ]),
  }));

it("are no proof of a machine's absence: a node goes after two of its own passes, no earlier", () =>
  expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    steps: [
      silent,
      (environment) => {
        environment.cloud.answer = gone(environment);
      },
    ],
    ended: ({ nodes, guarded }) => {
      expect(nodes.writes).toEqual(["delete n1", "delete n2"]);
      expect(guarded).toEqual(expect.arrayContaining(["take uid-n1", "take uid-n2"]));
    },
  }));

it("leave no trace of deletions that the guard holds, of a released one, and of one whose machine is back", () =>
  expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    steps: [
      silent,
      (environment) => {
        environment.says.verdict = HELD;
        environment.cloud.answer = gone(environment);
      },
      ({ cloud }) => {
        cloud.answer = powered("running");
      },
      (environment) => {
        environment.cloud.answer = gone(environment);
      },
      ({ says }) => {
        says.verdict = { kind: "released", by: "ana", intentId: "i" };
      },
    ],
    ended: ({ nodes, effects }) => {
      expect(nodes.writes).toEqual(["delete n1", "delete n2"]);
      const held = effects.filter((effect) => effect.kind === "guard" && effect.because);
      expect(JSON.stringify(held)).toContain("request req-1");
    },
  }));

it("leave no trace in a dry run, which counts and writes nothing either", () =>
  expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    start: () => started({ dryRun: true }),
    steps: [
      silent,
      (environment) => {
        environment.cloud.answer = gone(environment);
      },
    ],
    ended: ({ nodes, effects, guarded }) => {
      expect(guarded).toEqual(expect.arrayContaining(["foresee uid-n1", "foresee uid-n2"]));
      expect(guarded.filter((text) => text.startsWith("take"))).toEqual([]);
      expect(nodes.writes).toEqual([]);
      expect(effects.filter(({ kind }) => kind !== "guard")).toEqual([]);
    },
  }));
