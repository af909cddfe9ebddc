import { expect, it } from "vitest";
import type {
  AuditChainName,
  AuditCheckpoint,
  AuditHead,
} from "../../model/audit/audit-checkpoint.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { settable } from "../../model/testing/settable.ts";
import {
  CHECK_EVERY_MS,
  keepCheckpoints,
  LEAST_BETWEEN,
  DEFAULT_CHECKPOINT_MS as WITHIN_MS,
} from "./keep-checkpoints.ts";

const LEAST_BETWEEN_MS = LEAST_BETWEEN * WITHIN_MS;

function head(seq: number, digit = "a"): AuditHead {
  return { seq, hash: digit.repeat(64), at: 1_000 + seq };
}

/** Provides a checkpoint place and a ledger, both of which a test can make unavailable. */
function fixture(start: { readonly kept?: AuditCheckpoint } = {}) {
  const clock = createManualClock();
  const within = settable(WITHIN_MS);
  const state = {
    kept: start.kept,
    heads: { cluster: head(1) } as Partial<Record<AuditChainName, AuditHead>>,
    lost: new Set<AuditChainName>(),
    failure: undefined as Error | undefined,
  };
  const written: AuditCheckpoint[] = [];
  const noted: [AuditCheckpoint, string][] = [];
  const reported: string[] = [];
  const failing = () => {
    if (state.failure !== undefined) throw state.failure;
  };
  const checkpoints = keepCheckpoints({
    keeper: {
      read: async () => state.kept,
      write: async (checkpoint) => {
        failing();
        state.kept = checkpoint;
        written.push(checkpoint);
      },
      place: "ConfigMap x/y",
    },
    chains: {
      heads: async () => state.heads,
      holds: async (chain) => !state.lost.has(chain),
      note: async (checkpoint, slot) => void noted.push([checkpoint, slot]),
    },
    clock,
    within,
    onBroken: (sentence) => reported.push(sentence),
    onError: (error) => reported.push(String(error)),
  });
  return { clock, within, state, written, noted, reported, checkpoints };
}

it("writes the heads at once and within 10 s of a new entry; without new entries it writes nothing", async () => {
  const { clock, state, written, noted } = fixture();
  await clock.advance(0);
  expect(written).toEqual([{ at: clock.now(), cluster: head(1) }]);
  expect(noted).toEqual([[written[0], "ConfigMap x/y"]]);
  await clock.advance(3 * CHECK_EVERY_MS);
  expect(written).toHaveLength(1);
  state.heads = { cluster: head(2, "b"), accounts: head(4, "c") };
  await clock.advance(WITHIN_MS);
  expect(written.slice(1)).toEqual([
    { at: expect.any(Number), cluster: head(2, "b"), accounts: head(4, "c") },
  ]);
});

it("writes at most once in 8 s, however many entries come, and covers each within 10 s", async () => {
  const { clock, state, written } = fixture();
  const began = clock.now();
  let seq = 1;
  const addedAt = new Map<number, number>();
  for (let second = 0; second < 300; second += 1) {
    seq += 1;
    addedAt.set(seq, clock.now());
    state.heads = { cluster: { ...head(seq), hash: String(seq).padStart(64, "0") } };
    await clock.advance(1_000);
  }
  await clock.advance(WITHIN_MS);
  expect(written.length).toBeLessThanOrEqual((clock.now() - began) / LEAST_BETWEEN_MS + 1);
  for (const [number, at] of addedAt) {
    const anchored = written.find((one) => (one.cluster?.seq ?? 0) >= number);
    expect((anchored?.at ?? Number.POSITIVE_INFINITY) - at).toBeLessThanOrEqual(WITHIN_MS);
  }
});

it("takes a new period at once, and writes no more often than that allows", async () => {
  const { clock, within, state, written } = fixture();
  await clock.advance(0);
  within.set(60_000);
  state.heads = { cluster: head(2, "b") };
  await clock.advance(WITHIN_MS);
  expect(written).toHaveLength(1);
  within.set(2_000);
  await clock.advance(2_000);
  expect(written.map(({ cluster }) => cluster?.seq)).toEqual([1, 2]);
});

it("compares the kept heads with the chains every five minutes, even without new entries", async () => {
  const { clock, state, reported } = fixture();
  await clock.advance(WITHIN_MS);
  state.lost.add("cluster");
  await clock.advance(CHECK_EVERY_MS);
  expect(reported).toHaveLength(1);
});

it("writes a last one at the stop, and none after it", async () => {
  const { clock, state, written, checkpoints } = fixture();
  await clock.advance(0);
  state.heads = { cluster: head(2, "b") };
  await checkpoints.stop(1_000);
  expect(written.at(-1)?.cluster?.seq).toBe(2);
  state.heads = { cluster: head(3, "c") };
  await clock.advance(2 * CHECK_EVERY_MS);
  expect(written.at(-1)?.cluster?.seq).toBe(2);
});

it("keeps the head of a chain that lost its entry, reports that once, and goes on with the other chain", async () => {
  const { clock, state, written, reported } = fixture({
    kept: { at: 1, cluster: head(9, "f"), accounts: head(2, "b") },
  });
  state.lost.add("cluster");
  state.heads = { cluster: head(7), accounts: head(3, "c") };
  await clock.advance(0);
  expect(written).toEqual([{ at: clock.now(), cluster: head(9, "f"), accounts: head(3, "c") }]);
  await clock.advance(2 * CHECK_EVERY_MS);
  expect(reported).toEqual([
    "The audit log was changed: entry 9 of the cluster's chain, which the checkpoint in ConfigMap x/y names, is missing or no longer the same. Run cloudwright audit verify; if the database was replaced on purpose, remove that key.",
  ]);
});

it("starts over when somebody removed the checkpoint", async () => {
  const { clock, state, written } = fixture({ kept: { at: 1, cluster: head(9, "f") } });
  state.lost.add("cluster");
  await clock.advance(0);
  expect(written).toEqual([]);
  state.kept = undefined;
  await clock.advance(CHECK_EVERY_MS);
  expect(written).toMatchObject([{ cluster: head(1) }]);
});

it("reports a failure once and writes as soon as it can", async () => {
  const { clock, state, written, reported } = fixture();
  state.failure = new Error("away");
  await clock.advance(3 * CHECK_EVERY_MS);
  expect(reported).toEqual(["Error: away"]);
  expect(written).toEqual([]);
  state.failure = undefined;
  await clock.advance(CHECK_EVERY_MS);
  expect(written).toHaveLength(1);
});
