import { describe, expect, it, vi } from "vitest";
import type { GuardedNode } from "../../model/controls.ts";
import type { GuardPolicy } from "../../model/settings/setting-kinds.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { settable } from "../../model/testing/settable.ts";
import type { ControlDiary } from "./control-diary.ts";
import { type ControlRecord, EMPTY_RECORD } from "./control-record.ts";
import type { ControlStore } from "./control-store.ts";
import { createGuardKeeper } from "./guard-keeper.ts";
import { addRelease } from "./guard-record.ts";

const WINDOW_MS = 600_000;
const POLICY: GuardPolicy = { nodes: 2, percent: 0, windowMs: WINDOW_MS };
const BECAUSE = "No instance in sandbox has this provider ID.";

/** At most two deletions within ten minutes, in a cluster of ten nodes. */
function fixture({ dryRun = false, nodes = 10 } = {}) {
  const clock = createManualClock();
  const policy = settable<GuardPolicy | undefined>(POLICY);
  let record: ControlRecord = EMPTY_RECORD;
  let failure: unknown;
  const store: Pick<ControlStore, "record" | "update"> = {
    get record() {
      return record;
    },
    update: async (edit) => {
      const edited = edit(record);
      if (failure !== undefined) throw failure;
      record = edited.record;
      return edited.answer;
    },
  };
  const gone = new Set<string>();
  const audit = vi.fn<ControlDiary["audit"]>();
  const event = vi.fn<ControlDiary["event"]>();
  const onError = vi.fn<(error: unknown) => void>();
  const keeper = createGuardKeeper({
    store,
    policy,
    clock,
    nodes: { count: () => nodes, mayBeThere: ({ uid }) => !gone.has(uid) },
    diary: { audit, event },
    dryRun,
    onError,
  });
  return {
    ...{ clock, keeper, policy, gone, audit, event, onError },
    fail: (error: unknown) => {
      failure = error;
    },
    held: () => record.guard.held.map(({ name }) => name),
    release: (...released: readonly GuardedNode[]) => {
      const at = clock.now();
      const by = { by: "ana", why: "INC-1", intentId: "i-1" };
      const until = at + WINDOW_MS;
      record = {
        ...record,
        guard: addRelease(record.guard, { nodes: released, at, until, ...by }),
      };
    },
  };
}

function node(name: string): GuardedNode {
  return { name, uid: `u-${name}` };
}

const [A, B, C, D] = [node("a"), node("b"), node("c"), node("d")];

async function deleteTwo({ keeper }: ReturnType<typeof fixture>): Promise<void> {
  expect([await keeper.take(A), await keeper.take(B)]).toEqual([true, true]);
}

describe("a deletion", () => {
  it("is free up to the limit, and held beyond it with the details that the page shows", async () => {
    const guard = fixture();
    expect(guard.keeper.verdict(A)).toEqual({ kind: "free" });
    await deleteTwo(guard);
    expect(guard.keeper.verdict(C)).toEqual({
      kind: "held",
      deleted: 2,
      limit: 2,
      windowMs: WINDOW_MS,
      held: 1,
    });
    expect(await guard.keeper.take(C)).toBe(false);
    expect(guard.keeper.status()).toMatchObject({ deleted: 2, limit: 2 });
  });

  it("that is retried counts once", async () => {
    const guard = fixture();
    await guard.keeper.take(A);
    await guard.keeper.take(A);
    expect(guard.keeper.status()?.deleted).toBe(1);
    expect(guard.keeper.verdict(B)).toEqual({ kind: "free" });
  });

  it("is free again after the window if nothing was held in it", async () => {
    const guard = fixture();
    await deleteTwo(guard);
    await guard.clock.advance(WINDOW_MS);
    expect(guard.keeper.verdict(C)).toEqual({ kind: "free" });
  });

  it("stays held after the window while it waits: the window's end alone releases nothing", async () => {
    const guard = fixture();
    await deleteTwo(guard);
    guard.keeper.waits(C, BECAUSE);
    await guard.clock.advance(2 * WINDOW_MS);
    expect(guard.keeper.verdict(C)).toMatchObject({ kind: "held" });
  });

  it("that an admin released proceeds without being counted, and no other one does", async () => {
    const guard = fixture();
    await deleteTwo(guard);
    guard.release(C);
    expect(guard.keeper.verdict(C)).toEqual({ kind: "released", by: "ana", intentId: "i-1" });
    expect(await guard.keeper.take(C)).toBe(true);
    expect([guard.keeper.status()?.deleted, await guard.keeper.take(D)]).toEqual([2, false]);
  });

  it("is not done if it cannot be counted", async () => {
    const guard = fixture();
    guard.fail(new Error("the API server is away"));
    await expect(guard.keeper.take(A)).rejects.toThrow("the API server is away");
    expect(guard.keeper.status()?.deleted).toBe(0);
  });
});

describe("a change of policy", () => {
  it("holds or releases at once, and earlier deletions still count", async () => {
    const guard = fixture();
    await deleteTwo(guard);
    guard.policy.set({ ...POLICY, nodes: 3 });
    expect(guard.keeper.verdict(C)).toEqual({ kind: "free" });
    expect(await guard.keeper.take(C)).toBe(true);
    expect(guard.keeper.verdict(D)).toMatchObject({ kind: "held", deleted: 3, limit: 3 });
    guard.policy.set({ ...POLICY, nodes: 1 });
    expect(guard.keeper.status()).toMatchObject({ deleted: 3, limit: 1 });
    expect(await guard.keeper.take(D)).toBe(false);
  });

  it("to off holds nothing, counts nothing and raises no alarm; the waiting nodes are still known when it is on again", async () => {
    const guard = fixture();
    await deleteTwo(guard);
    guard.keeper.waits(C, BECAUSE);
    await guard.clock.advance(0);
    guard.event.mockClear();
    guard.policy.set(undefined);
    expect(guard.keeper.status()).toBeUndefined();
    expect([guard.keeper.verdict(C).kind, await guard.keeper.take(D)]).toEqual(["free", true]);
    guard.keeper.waits(D, BECAUSE);
    await guard.clock.advance(WINDOW_MS / 2);
    guard.keeper.review();
    expect(guard.event).not.toHaveBeenCalled();
    guard.policy.set(POLICY);
    expect(guard.keeper.status()).toMatchObject({ deleted: 2, limit: 2 });
    expect(guard.held()).toEqual(["c"]);
  });
});

describe("a node whose deletion waits", () => {
  it("is listed once with the cause and the time since when, however often it is reported", async () => {
    const guard = fixture();
    await guard.clock.advance(5_000);
    guard.keeper.waits(A, BECAUSE);
    await guard.clock.advance(5_000);
    guard.keeper.waits(A, "another sentence");
    await guard.clock.advance(0);
    const since = guard.clock.now() - 5_000;
    expect(guard.keeper.status()?.held).toEqual([{ ...A, since, because: BECAUSE }]);
  });

  it("adds an audit entry if it is the first, and none if it is another one", async () => {
    const guard = fixture();
    guard.keeper.waits(A, BECAUSE);
    await guard.clock.advance(0);
    guard.keeper.waits(B, BECAUSE);
    await guard.clock.advance(0);
    expect(guard.held()).toEqual(["a", "b"]);
    expect(guard.audit.mock.calls.map(([{ action, after }]) => [action, after])).toEqual([
      ["guard.hold", expect.objectContaining({ held: ["a"], limit: 2, windowMs: WINDOW_MS })],
    ]);
  });

  it("no longer waits once it has come back or is certainly gone", async () => {
    const guard = fixture();
    for (const one of [A, B, C]) guard.keeper.waits(one, BECAUSE);
    await guard.clock.advance(0);
    guard.keeper.waits(A, undefined);
    guard.gone.add(B.uid);
    guard.keeper.review();
    await guard.clock.advance(0);
    expect(guard.held()).toEqual(["c"]);
  });

  it("whose wait cannot be recorded is reported, and noted again in its next run", async () => {
    const guard = fixture();
    guard.fail(new Error("away"));
    guard.keeper.waits(A, BECAUSE);
    await guard.clock.advance(0);
    expect(guard.onError).toHaveBeenCalledExactlyOnceWith(new Error("away"));
    expect(guard.audit).not.toHaveBeenCalled();
    guard.fail(undefined);
    guard.keeper.waits(A, BECAUSE);
    await guard.clock.advance(0);
    expect(guard.held()).toEqual(["a"]);
    expect(guard.audit).toHaveBeenCalledTimes(1);
  });
});

describe("the alarm", () => {
  it("is an Event when more deletions wait, and every five minutes while they do", async () => {
    const guard = fixture();
    await guard.clock.advance(WINDOW_MS);
    guard.keeper.review();
    expect(guard.event).not.toHaveBeenCalled();
    guard.keeper.waits(A, BECAUSE);
    await guard.clock.advance(0);
    guard.keeper.review();
    guard.keeper.review();
    expect(guard.event).toHaveBeenCalledTimes(1);
    guard.keeper.waits(B, BECAUSE);
    await guard.clock.advance(0);
    guard.keeper.review();
    expect(guard.event).toHaveBeenCalledTimes(2);
    await guard.clock.advance(299_999);
    guard.keeper.review();
    expect(guard.event).toHaveBeenCalledTimes(2);
    await guard.clock.advance(1);
    guard.keeper.review();
    expect(guard.event).toHaveBeenCalledTimes(3);
  });

  it("states how many were deleted, how many wait, and what an admin has to do", async () => {
    const guard = fixture();
    await deleteTwo(guard);
    guard.keeper.waits(C, BECAUSE);
    await guard.clock.advance(0);
    guard.keeper.review();
    expect(guard.event).toHaveBeenCalledExactlyOnceWith(
      "DeletionGuardHeld",
      "2 of at most 2 nodes were deleted within 10 min, so 1 more deletion waits for an admin. Check in the cloud that these machines are really gone, then release the deletion guard.",
    );
  });
});

describe("a dry run, which deletes nothing", () => {
  it("foresees those beyond the limit as held, and counts the others at once", () => {
    const { keeper } = fixture({ dryRun: true });
    const verdicts = [A, B, C].map((one) => keeper.foresee?.(one).kind);
    expect(verdicts).toEqual(["free", "free", "held"]);
  });

  it("is the only mode that foresees: a real deletion asks `take` right before", () => {
    expect(fixture().keeper.foresee).toBeUndefined();
  });
});
