import { setMaxListeners } from "node:events";
import {
  type CallContext,
  type InstanceRef,
  instanceKey,
  type Lookup,
} from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "../calls/budget.ts";
import { createCallContexts } from "../calls/call-context.ts";
import { createInstanceDirectory } from "./instance-directory.ts";

const STEP_MS = 10;
/** As in docs/speed.md: the capacity of the bench's cloud, its client and the API server. */
const CALL_MS = 50;
const PAGE = 200;
const COMING_A_SECOND = 450;
const WRITTEN_A_SECOND = 240;
const OBSERVING = 256;
const READ_ONE_BY_ONE = 3;

/**
 * Returns a cloud that lists all its instances in successive pages if more than a few are requested; it counts calls and
 * listings.
 */
function cloudOf(nodes: number) {
  const clock = createManualClock();
  const budget = createCloudBudget({ provider: "p", clock });
  const counts = { calls: 0, listings: 0 };
  const call = (context: CallContext) => {
    counts.calls += 1;
    return context.call(
      { operation: "GET /v1/instances", target: "", mutates: false },
      () =>
        new Promise<{ value: undefined; status: number }>((resolve) => {
          clock.after(CALL_MS, () => resolve({ value: undefined, status: 200 }));
        }),
    );
  };
  const describe = async (
    refs: readonly InstanceRef[],
    _options: unknown,
    context: CallContext,
  ) => {
    if (refs.length <= READ_ONE_BY_ONE) {
      await Promise.all(refs.map(() => call(context)));
      return new Map(refs.map((ref) => [instanceKey(ref), found(ref.nodeName)]));
    }
    counts.listings += 1;
    for (let page = 0; page < nodes / PAGE; page += 1) await call(context);
    const names = Array.from({ length: nodes }, (_, index) => `w-${index}`);
    return new Map(names.map((name) => [`name:${name}`, found(name)]));
  };
  const directory = createInstanceDirectory({
    instances: { describe },
    contexts: createCallContexts({ provider: "p", clock, budget, fence: () => true }),
    clock,
  });
  return { clock, counts, directory };
}

function found(name: string): Lookup {
  const facts = {
    ...{ providerID: `p://${name}`, name, type: "m1", zone: "a", region: "r" },
    ...{ addresses: [], additionalLabels: {}, power: "running" as const, asOf: 0 },
  };
  return { kind: "found", facts };
}

/** Each run has a signal of its own; here one is shared by thousands. */
function signalForMany(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

/**
 * Returns the seconds until a wave of nodes has its facts and is written, and the calls made since each node was seen.
 */
async function waveOf(nodes: number) {
  const { clock, counts, directory } = cloudOf(nodes);
  const lookups = directory.for({
    startedAt: 0,
    signal: signalForMany(),
    step: () => undefined,
  });
  const seenAt: number[] = [];
  let asked = 0;
  let answered = 0;
  let written = 0;
  const preview = (index: number, notBefore: number) => {
    const options = { maxAgeMs: 30_000, notBefore, mode: "batch", priority: "new" } as const;
    void lookups.lookup({ nodeName: `w-${index}`, providerID: undefined }, options).then(() => {
      answered += 1;
    });
  };
  for (let ms = 0; written < nodes; ms += STEP_MS) {
    const come = Math.min(nodes, Math.round(((ms + STEP_MS) * COMING_A_SECOND) / 1_000));
    while (seenAt.length < come) seenAt.push(clock.monotonic());
    written = Math.min(answered, written + (STEP_MS * WRITTEN_A_SECOND) / 1_000);
    while (asked < seenAt.length && asked - written < OBSERVING) {
      preview(asked, seenAt[asked] ?? 0);
      asked += 1;
    }
    await clock.advance(STEP_MS);
    if (ms > 120_000) throw new Error(`${written} of ${nodes} nodes are written`);
  }
  return { ...counts, seconds: clock.monotonic() / 1_000 };
}

it.each([
  [500, 6, 25],
  [2_000, 7, 80],
  [5_000, 8, 220],
])("a wave of %i nodes takes at most %i listings and %i calls", async (nodes, listings, calls) => {
  const wave = await waveOf(nodes);
  expect(wave.listings).toBeLessThanOrEqual(listings);
  expect(wave.calls).toBeLessThanOrEqual(calls);
});
