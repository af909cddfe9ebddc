import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { Driver } from "../../reconcile/testing/driver.ts";
import { HOLD_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { FakeInformer, found, node } from "../testing/node-fixture.ts";
import { INSTANCES, type TestLookup, testRun } from "../testing/test-run.ts";
import { createNodeLifecycleReconciler } from "./create-node-lifecycle-reconciler.ts";

const FAILED: Lookup = {
  kind: "failed",
  error: new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" }),
};

function absent(at: number): Lookup {
  return { kind: "absent", proof: { by: "providerID", cloudShowsOthers: true, at } };
}

function setUp(...nodes: readonly ReturnType<typeof node>[]) {
  const informer = new FakeInformer(...nodes);
  const clock = createManualClock();
  const driver = new Driver(
    createNodeLifecycleReconciler({
      instances: INSTANCES,
      client: {
        patch: () => Promise.reject(new Error("nothing is to be written here")),
        delete: () => Promise.reject(new Error("nothing is to be deleted here")),
      },
      informer,
      sightings: watchNodes(informer, clock),
      policy: { newNodeGraceMs: 300_000, monitorPeriodMs: 1_000 },
      provider: "p",
    }),
    clock,
  );
  const preview = async (answer: (requested: TestLookup) => Lookup) => {
    const run = testRun(answer, { kind: "period" });
    const observed = await driver.preview("n1", run);
    return { observed, modes: run.lookups.map(({ options }) => options.mode) };
  };
  const counted = () =>
    driver.effects.flatMap((effect) => {
      if (effect.kind !== "metric") return [];
      expect(effect.name).toBe("cloud_node_lifecycle_controller_cloud_provider_calls_total");
      return `${effect.labels?.operation} ${effect.labels?.result}`;
    });
  return { informer, clock, counted, preview };
}

const SILENT = node({ ready: "False", providerID: "p://i-1" });

describe("an observation of a node", () => {
  it("that is Ready makes no lookup", async () => {
    const { preview, counted } = setUp(node({ providerID: "p://i-1" }));
    expect((await preview(() => found())).modes).toEqual([]);
    expect(counted()).toEqual([]);
  });

  it.each([
    ["asks nobody", 1_000, []],
    ["until a moment ago asks as usual", 0, ["batch"]],
  ])("that is silent and held %s", async (_case, forMs, modes) => {
    const until = createManualClock().now() + forMs;
    const annotations = {
      [HOLD_ANNOTATION]: "racks",
      [HOLD_UNTIL_ANNOTATION]: new Date(until).toISOString(),
    };
    const { preview } = setUp(node({ ready: "False", providerID: "p://i-1", annotations }));
    expect((await preview(() => found())).modes).toEqual(modes);
  });

  it("that is silent is shared, and repeated alone when the listing lacks the instance", async () => {
    const { preview } = setUp(SILENT);
    expect((await preview(() => found())).modes).toEqual(["batch"]);
    const missing = await preview(({ options }) =>
      options.mode === "batch" ? { kind: "notListed" } : absent(1),
    );
    expect(missing.modes).toEqual(["batch", "single"]);
  });

  it("that was absent once is made alone, and includes the earlier proof", async () => {
    const { preview } = setUp(SILENT);
    expect((await preview(() => absent(1_000))).observed?.earlierAbsence).toBeUndefined();
    const second = await preview(() => absent(2_000));
    expect(second.modes).toEqual(["single"]);
    expect(second.observed?.earlierAbsence).toMatchObject({ at: 1_000 });
    expect((await preview(() => absent(3_000))).observed?.earlierAbsence).toMatchObject({
      at: 1_000,
    });
  });

  it.each([
    ["the instance is there again", found()],
    ["the cloud failed", FAILED],
  ])("starts again with the first proof once %s", async (_case, between) => {
    const { preview } = setUp(SILENT);
    await preview(() => absent(1_000));
    await preview(() => between);
    expect((await preview(() => absent(3_000))).observed?.earlierAbsence).toBeUndefined();
  });

  it("starts again with the first proof once the node was Ready", async () => {
    const { preview, informer } = setUp(SILENT);
    await preview(() => absent(1_000));
    informer.put(node({ ready: "True", providerID: "p://i-1" }));
    await preview(() => absent(2_000));
    informer.put(SILENT);
    expect((await preview(() => absent(3_000))).observed?.earlierAbsence).toBeUndefined();
  });

  it("has no proof against a node that was registered again under the name", async () => {
    const { preview, informer } = setUp(SILENT);
    await preview(() => absent(1_000));
    informer.put(node({ ready: "False", providerID: "p://i-1", uid: "another" }));
    expect((await preview(() => absent(3_000))).observed?.earlierAbsence).toBeUndefined();
  });
});

it("counts the nodes of its cloud", async () => {
  const { preview } = setUp(
    SILENT,
    node({ name: "n2", providerID: "p://i-2" }),
    node({ name: "n3", providerID: "q://1" }),
  );
  expect((await preview(() => absent(1))).observed?.nodesOfCloud).toBe(2);
});

it("counts its calls like upstream", async () => {
  const { preview, counted } = setUp(SILENT);
  await preview(() => found());
  await preview(() => absent(1));
  await preview(() => FAILED);
  expect(counted()).toEqual([
    "instance_exists success",
    "instance_shutdown success",
    "instance_exists instance_not_found",
    "instance_exists error",
  ]);
});
