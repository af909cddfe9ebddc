import type { MessageInitShape } from "@bufbuild/protobuf";
import { instanceKey, type Lookup } from "@cloudwright/provider-api";
import { recordedContexts } from "@cloudwright/provider-api/kit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createNodeLifecycleReconciler } from "../../../core/src/controllers/node-lifecycle/create-node-lifecycle-reconciler.ts";
import { watchNodes } from "../../../core/src/controllers/objects/node-sightings.ts";
import { FakeInformer, node } from "../../../core/src/controllers/testing/node-fixture.ts";
import {
  INSTANCES,
  type TestLookup,
  testRun,
} from "../../../core/src/controllers/testing/test-run.ts";
import { createManualClock } from "../../../core/src/model/testing/manual-clock.ts";
import { Driver } from "../../../core/src/reconcile/testing/driver.ts";
import {
  AbsenceSubject,
  Certainty,
  type InstanceLookupSchema,
  LookupMode,
} from "../src/generated/cloudwright/provider/v1/provider_pb.js";
import { createGrpcProvider } from "../src/grpc-provider.ts";
import { CONFIG, HELD, TestObjects, TestSource } from "../src/testing/connected.ts";
import { type ContractServer, startContractServer } from "../src/testing/contract-server.ts";

type Answer = MessageInitShape<typeof InstanceLookupSchema>;

const FOUND: Answer = {
  result: { case: "found", value: { providerId: "memory://i-1", name: "n1" } },
};

let server: ContractServer;
let source: TestSource;

beforeEach(() => {
  source = new TestSource();
});

afterEach(async () => {
  await source.use(undefined);
  await server.kill();
});

/** Sets up the lifecycle loop of an unresponsive node whose machine is looked up by the process. */
async function setUp() {
  const clock = createManualClock();
  const informer = new FakeInformer(
    node({ ready: "False", providerID: "memory://i-1" }),
    node({ name: "n2", providerID: "memory://i-2" }),
  );
  const says = { answer: FOUND };
  const modes: LookupMode[] = [];
  const absent = (): Answer => {
    const at = { atMs: BigInt(clock.now()), cloudShowsOthers: Certainty.YES };
    const proof = { by: AbsenceSubject.PROVIDER_ID, requestId: "req-1", ...at };
    return { result: { case: "absent", value: { proof } } };
  };
  const handlers = {
    initialize: () => ({ capabilities: { instances: { byName: true } } }),
    describeInstances: ({ mode }: { readonly mode: LookupMode }) => {
      modes.push(mode);
      return { lookups: [says.answer] };
    },
  };
  server = await startContractServer({ handlers });
  await source.use(server);
  const { signal } = new AbortController();
  const objects = new TestObjects();
  const options = { source, config: CONFIG, objects, fence: HELD, signal };
  const { instances } = await createGrpcProvider(options);
  const { context } = recordedContexts({ provider: "memory" });
  const lookUp = async ({ ref, options: { mode } }: TestLookup): Promise<Lookup> => {
    const lookup = (await instances?.describe([ref], { mode }, context()))?.get(instanceKey(ref));
    if (lookup === undefined) throw new Error("there is no answer");
    return lookup;
  };
  const deleted: string[] = [];
  const reconciler = createNodeLifecycleReconciler({
    instances: INSTANCES,
    client: {
      patch: () => Promise.reject(new Error("nothing is to be written here")),
      delete: async ({ name }) => {
        deleted.push(name ?? "");
      },
    },
    informer,
    sightings: watchNodes(informer, clock),
    policy: { newNodeGraceMs: 300_000, monitorPeriodMs: 1_000 },
    provider: "memory",
    guard: {
      verdict: () => ({ kind: "free" }),
      take: () => Promise.resolve(true),
    },
  });
  const driver = new Driver(reconciler, clock);
  const pass = async (answer: Answer | undefined) => {
    if (answer !== undefined) says.answer = answer;
    await clock.advance(5_000);
    const { plan } = await driver.run("n1", testRun(lookUp, { kind: "period" }));
    return plan.next.reason.code;
  };
  return { pass, absent, deleted, modes };
}

it("deletes a Node when the process reports its machine as absent twice, the second time after a read of that machine alone", async () => {
  const { pass, absent, deleted, modes } = await setUp();
  expect(await pass(absent())).toBe("InstanceAbsentOnce");
  expect(deleted).toEqual([]);
  await pass(absent());
  expect(deleted).toEqual(["n1"]);
  expect(modes.at(-1)).toBe(LookupMode.SINGLE);
});

it("starts counting again if the machine was seen in between", async () => {
  const { pass, absent, deleted } = await setUp();
  await pass(absent());
  await pass(FOUND);
  expect(await pass(absent())).toBe("InstanceAbsentOnce");
  expect(deleted).toEqual([]);
});

it("deletes nothing for a process that is gone, that fails, or that reports absence without a proof", async () => {
  const { pass, deleted } = await setUp();
  const failed: Answer = { result: { case: "failed", value: { message: "down" } } };
  const unproven: Answer = { result: { case: "absent", value: {} } };
  for (const answer of [failed, failed, unproven, unproven]) await pass(answer);
  await source.use(undefined);
  expect(await pass(undefined)).toBe("ProviderUnavailable");
  expect(await pass(undefined)).toBe("ProviderUnavailable");
  expect(deleted).toEqual([]);
});
