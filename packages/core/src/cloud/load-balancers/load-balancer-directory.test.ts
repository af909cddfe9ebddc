import {
  type CallContext,
  type CloudChange,
  type LoadBalancerObservation,
  type LoadBalancerOwner,
  ProviderError,
  type ProviderErrorCode,
} from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { Step } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "../calls/budget.ts";
import { createCallContexts } from "../calls/call-context.ts";
import type { ObserveOptions } from "../ports.ts";
import { createLoadBalancerDirectory } from "./load-balancer-directory.ts";

const ASK: ObserveOptions = { maxAgeMs: 0, priority: "new" };
const OLDER: ObserveOptions = { maxAgeMs: 300_000, priority: "refresh" };

function owner(name: string): LoadBalancerOwner {
  return {
    clusterUid: "c-1",
    objectUid: `uid-${name}`,
    namespace: "shop",
    name,
    clusterName: "prod",
  };
}

const UPDATE: CloudChange = {
  action: "update",
  what: "load balancer",
  target: "lb-1",
  before: {},
  after: {},
  request: {},
};

import { rememberedPriorities } from "../testing/remembered-priorities.ts";

const LATENCY_MS = 100;

/** A slow cloud that holds a version for each owner, and whose answers to writes the test controls. */
function fixture({ batches = 4 } = {}) {
  const clock = createManualClock();
  const budget = createCloudBudget({ provider: "sandbox", clock });
  const asked: { readonly what: string; readonly priority: string | undefined }[] = [];
  const versions = new Map<string, number>();
  const broken = new Map<string, ProviderErrorCode>();
  let answerOfApply: () => unknown = () => undefined;
  const { contexts, priorityOf } = rememberedPriorities(
    createCallContexts({ provider: "sandbox", clock, budget, fence: () => true }),
  );
  const call = <T>(context: CallContext, operation: string, value: () => T) => {
    const mutates = operation.startsWith("apply");
    asked.push({ what: operation, priority: priorityOf(context) });
    return context.call(
      { operation, target: "t", mutates },
      () =>
        new Promise<{ value: T; status: number }>((resolve, reject) => {
          const seen = mutates ? undefined : value();
          clock.after(LATENCY_MS, () => {
            try {
              resolve({ value: seen ?? value(), status: 200 });
            } catch (error) {
              reject(error);
            }
          });
        }),
    );
  };
  const observed = ({ objectUid }: LoadBalancerOwner): LoadBalancerObservation<number> => {
    const code = broken.get(objectUid);
    if (code === undefined) return { kind: "known", observed: versions.get(objectUid) ?? 0 };
    const ref = { provider: "sandbox", operation: "GET lb" };
    return { kind: "failed", error: new ProviderError(code, "no", ref) };
  };
  const directory = createLoadBalancerDirectory({
    loadBalancers: {
      abilities: {
        protocols: ["TCP"],
        mixedProtocols: true,
        families: ["IPv4"],
        affinity: false,
        sourceRanges: false,
        requestedAddress: false,
        annotationPrefixes: [],
        ignoredFields: [],
      },
      observe: (owners, context) =>
        call(
          context,
          `observe ${owners.map(({ name }) => name).join()}`,
          () => new Map(owners.map((one) => [one.objectUid, observed(one)])),
        ),
      plan: () => {
        throw new Error("not asked here");
      },
      apply: (change, context) => call(context, `apply ${change.action}`, () => answerOfApply()),
      owned: (_uid, context) => call(context, "owned", () => [...versions.keys()].map(named)),
    },
    contexts,
    clock,
    clusterUid: "c-1",
    batches,
  });
  const run = () => {
    const steps: Omit<Step, "phase">[] = [];
    const ends = new AbortController();
    const step = (made: Omit<Step, "phase">) => steps.push(made);
    return { steps, ends, ...directory.for({ startedAt: clock.now(), signal: ends.signal, step }) };
  };
  const versionOf = async (name: string, request: ObserveOptions) => {
    const seen = run().observe(owner(name), request);
    await clock.advance(LATENCY_MS);
    const observation = await seen;
    return observation.kind === "known" ? observation.observed : observation.error.code;
  };
  return {
    clock,
    asked,
    versions,
    broken,
    run,
    versionOf,
    set answer(answer: () => unknown) {
      answerOfApply = answer;
    },
  };
}

function named(objectUid: string) {
  const facts = { id: objectUid, name: "", type: "", addresses: [], state: "", parts: [] };
  return { owner: { clusterUid: "c-1", objectUid }, facts };
}

describe("observations of load balancers", () => {
  it("that are requested in one turn share a call, which each of their runs shows", async () => {
    const { clock, asked, run } = fixture();
    const runs = Array.from({ length: 50 }, run);
    const answers = runs.map(({ observe }, index) => observe(owner(`s-${index}`), ASK));
    await clock.advance(LATENCY_MS);
    expect(await Promise.all(answers)).toHaveLength(50);
    expect(asked).toHaveLength(1);
    for (const { steps } of runs) expect(steps).toMatchObject([{ sharedBy: 50, status: 200 }]);
  });

  it("are sent with the priority of the most urgent caller", async () => {
    const { clock, asked, run } = fixture();
    const first = run().observe(owner("web"), OLDER);
    const second = run().observe(owner("api"), { maxAgeMs: 0, priority: "person" });
    await clock.advance(LATENCY_MS);
    await Promise.all([first, second]);
    expect(asked).toEqual([{ what: "observe web,api", priority: "person" }]);
  });

  it("are reused as long as the caller allows, and no longer", async () => {
    const { clock, asked, versionOf } = fixture();
    await versionOf("web", ASK);
    await clock.advance(60_000);
    await versionOf("web", OLDER);
    expect(asked).toHaveLength(1);
    await versionOf("web", { ...OLDER, maxAgeMs: 30_000 });
    expect(asked).toHaveLength(2);
    await versionOf("web", ASK);
    expect(asked).toHaveLength(3);
  });

  it("that failed are never used again", async () => {
    const { asked, broken, versionOf } = fixture();
    broken.set("uid-web", "Unavailable");
    expect(await versionOf("web", OLDER)).toBe("Unavailable");
    broken.clear();
    expect(await versionOf("web", OLDER)).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it("that timed out together are made separately until they are answered", async () => {
    const { clock, asked, broken, run, versionOf } = fixture();
    broken.set("uid-web", "TimedOut");
    broken.set("uid-api", "TimedOut");
    const both = [run().observe(owner("web"), ASK), run().observe(owner("api"), ASK)];
    await clock.advance(LATENCY_MS);
    await Promise.all(both);
    broken.delete("uid-api");
    const again = [run().observe(owner("web"), ASK), run().observe(owner("api"), ASK)];
    await clock.advance(LATENCY_MS);
    await Promise.all(again);
    expect(asked.map(({ what }) => what)).toEqual([
      "observe web,api",
      "observe web",
      "observe api",
    ]);
    expect(await versionOf("api", ASK)).toBe(0);
  });

  it("end with the run's signal, and go on for the others", async () => {
    const { clock, run } = fixture();
    const leaving = run();
    const staying = run();
    const left = leaving.observe(owner("web"), ASK).catch((error: unknown) => error);
    const stayed = staying.observe(owner("web"), ASK);
    await clock.advance(10);
    leaving.ends.abort(new Error("the run was ended"));
    await clock.advance(LATENCY_MS);
    expect(await left).toMatchObject({ message: "the run was ended" });
    expect(leaving.steps).toMatchObject([
      { operation: "look up load balancer", target: "shop/web", error: /ended/ },
    ]);
    expect(await stayed).toMatchObject({ kind: "known" });
  });
});

describe("a change of a load balancer", () => {
  it("is known from the cloud's answer, without a read", async () => {
    const all = fixture();
    await all.versionOf("web", ASK);
    all.answer = () => 7;
    const changing = all.run();
    const done = changing.apply(owner("web"), UPDATE, "person");
    await all.clock.advance(LATENCY_MS);
    await done;
    expect(changing.steps).toMatchObject([{ operation: "apply update", sharedBy: 1 }]);
    expect(await all.versionOf("web", OLDER)).toBe(7);
    expect(all.asked).toEqual([
      { what: "observe web", priority: "new" },
      { what: "apply update", priority: "person" },
    ]);
  });

  it.each([
    ["says nothing", () => undefined],
    [
      "fails",
      () => {
        throw new ProviderError("Unavailable", "lost", { provider: "sandbox", operation: "x" });
      },
    ],
  ])("is observed when its answer %s", async (_case, answer) => {
    const all = fixture();
    await all.versionOf("web", ASK);
    all.answer = answer;
    const done = all
      .run()
      .apply(owner("web"), UPDATE, "new")
      .catch(() => undefined);
    await all.clock.advance(LATENCY_MS);
    await done;
    all.versions.set("uid-web", 8);
    expect(await all.versionOf("web", OLDER)).toBe(8);
  });

  it("is not overwritten by an observation that started before it", async () => {
    const all = fixture();
    all.answer = () => 9;
    const done = all.run().apply(owner("web"), UPDATE, "new");
    await all.clock.advance(LATENCY_MS / 2);
    const early = all.run().observe(owner("web"), OLDER);
    await all.clock.advance(LATENCY_MS / 2);
    await done;
    const joined = all.run().observe(owner("web"), OLDER);
    await all.clock.advance(LATENCY_MS);
    expect(await early).toMatchObject({ observed: 0 });
    expect(await joined).toMatchObject({ observed: 9 });
    expect(await all.versionOf("web", OLDER)).toBe(9);
  });

  it("lets no caller join a call that was sent before it ended", async () => {
    const all = fixture();
    const done = all.run().apply(owner("web"), UPDATE, "new");
    await all.clock.advance(LATENCY_MS / 2);
    const early = all.run().observe(owner("web"), ASK);
    await all.clock.advance(LATENCY_MS / 2);
    await done;
    all.versions.set("uid-web", 3);
    const later = all.run().observe(owner("web"), OLDER);
    await all.clock.advance(LATENCY_MS * 2);
    expect(await early).toMatchObject({ observed: 0 });
    expect(await later).toMatchObject({ observed: 3 });
  });
});

describe("the listing of all that are ours", () => {
  it("is shared by all simultaneous callers, and for a moment", async () => {
    const { clock, asked, versions, run } = fixture();
    versions.set("uid-web", 1);
    const answers = [run().owned("refresh"), run().owned("refresh")];
    await clock.advance(LATENCY_MS);
    expect(await answers[0]).toMatchObject([{ owner: { objectUid: "uid-web" } }]);
    await Promise.all(answers);
    await run().owned("refresh");
    expect(asked).toHaveLength(1);
    await clock.advance(5_000);
    const later = run().owned("refresh");
    await clock.advance(LATENCY_MS);
    await later;
    expect(asked).toHaveLength(2);
  });

  it("is repeated for a user, and for everybody after a change", async () => {
    const { clock, asked, run } = fixture();
    const listed = async (priority: "person" | "refresh") => {
      const listing = run().owned(priority);
      await clock.advance(LATENCY_MS);
      await listing;
    };
    await listed("refresh");
    await listed("person");
    expect(asked).toHaveLength(2);
    const done = run().apply(owner("web"), UPDATE, "new");
    await clock.advance(LATENCY_MS);
    await done;
    await listed("refresh");
    expect(asked.filter(({ what }) => what === "owned")).toHaveLength(3);
  });
});
