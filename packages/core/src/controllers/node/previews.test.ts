import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { fixed } from "../../model/values/live-value.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { found, UNINITIALIZED } from "../testing/node-fixture.ts";
import { startNodeLoop } from "../testing/node-loop-fixture.ts";
import { expectPreviewsLeaveNothing, Requests } from "../testing/previews.ts";
import { createNodeReconciler } from "./create-node-reconciler.ts";
import { nodeModule } from "./module.ts";
import { startNodeController } from "./start-node-controller.ts";

const PERIOD_MS = 300_000;
const HOUR_MS = 3_600_000;
const DOWN: Lookup = {
  kind: "failed",
  error: new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" }),
};
const isDown = () => DOWN;
const knowsIt = () => found();

function started({ dryRun = false } = {}) {
  return startNodeLoop(
    { answer: isDown },
    ({ clock, nodes: { client, informer }, instances, queue }) => ({
      dryRun,
      controller: nodeModule,
      reconciler: createNodeReconciler({
        client,
        informer,
        instances,
        sightings: watchNodes(informer, clock),
        provider: "p",
        policy: { newNodeGraceMs: PERIOD_MS, refreshPeriodMs: PERIOD_MS },
      }),
      feed: () => startNodeController({ informer, queue, clock, period: fixed(PERIOD_MS) }),
    }),
  );
}

type Environment = Awaited<ReturnType<typeof started>>;

/** Returns everything that was published, remembered and written so far. */
function traces({ effects, nodes, outcomes, loop }: Environment) {
  const { timeline, ...memory } = loop.memoryStore.of("n1", loop.object("n1").uid);
  return {
    effects: [...effects],
    writes: [...nodes.writes],
    node: nodes.informer.get("n1"),
    runs: outcomes.map(({ outcome, reason, written }) => [outcome, reason, written.length]),
    memory,
    timeline: timeline?.map(({ step, state, tries }) => [step, state, tries]),
  };
}

const scenario = { keys: ["n1"], traces, start: () => started() };

/** Returns what changed a Node, and in whose name. */
function changesOf({ outcomes }: Environment) {
  return outcomes.flatMap(({ written }) => written.map(({ kind, reason }) => [kind, reason.code]));
}

it("leave no trace of a node that waits for its cloud, is initialised, changes and goes", () =>
  expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    steps: [
      ({ nodes }) => nodes.register({ taints: [UNINITIALIZED] }),
      ({ cloud }) => {
        cloud.answer = knowsIt;
      },
      ({ nodes }) => nodes.register({ providerID: "p://i-1", labels: { a: "b" } }),
      ({ nodes }) => nodes.remove("n1"),
    ],
    ended: (environment) =>
      expect(changesOf(environment).map(([kind]) => kind)).toContain("node.initialise"),
  }));

it("leave no trace of a node whose taint is overridden until that expires, or until the cloud answers", () => {
  const overrides = ({ clock }: Environment) =>
    new Requests({ kind: "override", until: clock.now() + HOUR_MS });
  return expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    steps: [
      ({ nodes }) => nodes.register({ taints: [UNINITIALIZED] }),
      overrides,
      ({ settle }) => settle(HOUR_MS),
      overrides,
      ({ cloud }) => {
        cloud.answer = knowsIt;
      },
    ],
    ended: (environment) =>
      expect(changesOf(environment).filter(([kind]) => kind !== "node.addresses.write")).toEqual([
        ["node.override", "PersonAsked"],
        ["node.override-end", "OverrideExpired"],
        ["node.override", "PersonAsked"],
        ["node.initialise", expect.any(String)],
      ]),
  });
});

it("leave no trace of a node that is held, held again, released, and held until that expires", () => {
  const holds = ({ clock }: Environment) =>
    new Requests({ kind: "hold", until: clock.now() + HOUR_MS });
  return expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    steps: [
      ({ nodes, cloud }) => {
        cloud.answer = knowsIt;
        nodes.register({ taints: [UNINITIALIZED] });
      },
      holds,
      holds,
      () => new Requests({ kind: "release" }),
      holds,
      ({ settle }) => settle(HOUR_MS),
      () => new Requests({ kind: "retry" }),
    ],
    ended: (environment) =>
      expect(changesOf(environment).slice(-5)).toEqual([
        ["node.hold", "PersonAsked"],
        ["node.hold", "PersonAsked"],
        ["node.release", "PersonAsked"],
        ["node.hold", "PersonAsked"],
        ["node.release", "HoldExpired"],
      ]),
  });
});

it("leave no trace in a dry run, which writes and publishes nothing either", () =>
  expectPreviewsLeaveNothing<Environment>({
    ...scenario,
    start: () => started({ dryRun: true }),
    steps: [
      ({ nodes, cloud }) => {
        cloud.answer = knowsIt;
        nodes.register({ taints: [UNINITIALIZED] });
      },
      ({ clock }) => new Requests({ kind: "override", until: clock.now() + HOUR_MS }),
      ({ clock }) => new Requests({ kind: "hold", until: clock.now() + HOUR_MS }),
    ],
    ended: ({ effects, nodes, outcomes }) => {
      expect([effects, nodes.writes]).toEqual([[], []]);
      const planned = outcomes.flatMap(({ unwritten }) => unwritten.map(({ kind }) => kind));
      expect(planned).toEqual(expect.arrayContaining(["node.initialise", "node.hold"]));
    },
  }));
