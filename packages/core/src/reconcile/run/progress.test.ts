import { describe, expect, it } from "vitest";
import { KubeError } from "../../kube/errors.ts";
import type { Change, Next, Plan } from "../../model/plan.ts";
import type { Outcome } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import {
  currentPass,
  endingOfError,
  endingOfPlan,
  noProgress,
  type Progress,
  resultOf,
  writtenAndNot,
} from "./progress.ts";
import { RunEnded, RunInProgress } from "./run-in-progress.ts";

const IN_SYNC = { code: "InStep" } as const;
const RUN = { id: "r-1", trigger: { kind: "start" }, startedAt: 1_000 } as const;

function change(name: string): Change {
  const target = { kind: "Node", name };
  return {
    kind: "node.labels.write",
    system: "cluster",
    target,
    before: null,
    after: name,
    reason: IN_SYNC,
  };
}

const [A, B, C] = [change("a"), change("b"), change("c")];

function plan(changes: readonly Change[], next: Next = { kind: "settled", reason: IN_SYNC }): Plan {
  return { changes, notTaken: [], next };
}

/** Returns a run that has observed, made this plan and applied this many of its changes. */
function progress(changes: readonly Change[], applied: number, next?: Next) {
  const begun = noProgress<string, Change, unknown>();
  for (const each of changes.slice(0, applied)) begun.written.push(written(each));
  begun.pass = { observed: "o", plan: plan(changes, next), applied };
  begun.isCurrent = true;
  return begun;
}

function written(each: Change): Progress<string, Change>["written"][number] {
  return { change: each, answer: undefined, at: 1_500, durationMs: 3 };
}

/** Returns a run that was aborted for this reason, or that ended by itself. */
function ended(why?: RunEnded): RunInProgress {
  const run = new RunInProgress({ clock: createManualClock(), random: () => 0 }, { kind: "start" });
  if (why !== undefined) run.abort(why);
  return run;
}

describe("the progress of a run", () => {
  it("is empty before the first plan", () => {
    const none = noProgress<string, Change, unknown>();
    expect(currentPass(none)).toBeUndefined();
    expect(writtenAndNot(none)).toEqual({ written: [], unwritten: [] });
  });

  it.each([
    [0, [], [A, B, C]],
    [1, [A], [B, C]],
    [3, [A, B, C], []],
  ])("after %i writes has those, and the rest of the plan", (applied, done, left) => {
    expect(writtenAndNot(progress([A, B, C], applied))).toEqual({ written: done, unwritten: left });
  });

  it("has the writes of earlier plans beside the changes of the last one", () => {
    const later = progress([C], 0);
    later.written.push(written(A), written(B));
    expect(writtenAndNot(later)).toEqual({ written: [A, B], unwritten: [C] });
  });

  it("has nothing to write while the object is observed again, or when it is gone", () => {
    const stale = { ...progress([A, B], 1), isCurrent: false };
    expect(writtenAndNot(stale)).toEqual({ written: [A], unwritten: [] });
  });
});

describe("the result that a reconciler concludes from", () => {
  const result = (of: Progress<string, Change>, error?: unknown) =>
    resultOf(of, RUN, { error, at: 2_000 });

  it("is done when the whole last plan was applied", () => {
    expect(result(progress([A, B], 2))).toMatchObject({ isDone: true, isGone: false, applied: 2 });
    expect(result(progress([A, B], 1))).toMatchObject({ isDone: false, applied: 1 });
  });

  it("is done with nothing to do", () => {
    expect(result(progress([], 0))).toMatchObject({ isDone: true });
  });

  it("is neither done nor gone when the run threw, however far it got", () => {
    const failed = result(progress([A], 1), new Error("no"));
    expect(failed).toMatchObject({ isDone: false, isGone: false });
    expect(result({ ...progress([A], 0), isCurrent: false }, new Error("no")).isGone).toBe(false);
  });

  it("is gone when the last observation found nothing", () => {
    expect(result({ ...progress([A], 1), isCurrent: false })).toMatchObject({ isGone: true });
  });

  it("has the run's own times", () => {
    expect(result(progress([], 0))).toMatchObject({
      runId: "r-1",
      startedAt: 1_000,
      endedAt: 2_000,
    });
  });
});

describe("a run without an error", () => {
  const reason = { code: "NodeAddressesMissing" } as const;

  it.each<[what: string, Next, applied: number, Outcome]>([
    ["changed something", { kind: "settled", reason }, 1, "changed"],
    ["found all as it should be", { kind: "settled", reason }, 0, "unchanged"],
    ["waits, also after a write", { kind: "waiting", reason, forMs: 5 }, 1, "waiting"],
    ["is blocked until somebody acts", { kind: "blocked", reason }, 0, "blocked"],
    ["failed by what it planned", { kind: "failed", reason }, 0, "failed"],
    [
      "was held back with the Lease, which is no failure",
      { kind: "failed", reason: { code: "LeaseLost", operation: "patch nodes" } },
      0,
      "interrupted",
    ],
  ])("%s", (...[_what, next, applied, outcome]) => {
    expect(endingOfPlan(progress([A], applied, next))).toEqual({
      outcome,
      reason: next.reason,
      next,
      error: undefined,
    });
  });

  it("whose object is gone has settled on that, as a change if it wrote", () => {
    const gone = { ...progress([A], 1), isCurrent: false };
    expect(endingOfPlan(gone)).toMatchObject({
      outcome: "changed",
      reason: { code: "ObjectGone" },
      next: { kind: "settled" },
    });
    expect(endingOfPlan(noProgress())).toMatchObject({ outcome: "unchanged" });
  });
});

describe("a run with an error", () => {
  const call = { verb: "patch", resource: "nodes" };
  const refused = new KubeError("Forbidden", "no", call);

  it("failed for the thrown error", () => {
    expect(endingOfError(ended(), refused)).toMatchObject({
      outcome: "failed",
      reason: { code: "KubeForbidden", verb: "patch" },
      next: { kind: "failed" },
      error: refused,
    });
  });

  it("that lost the Lease is interrupted: the next leader carries on", () => {
    const fenced = new KubeError("Unavailable", "held back", { ...call, fenced: true });
    expect(endingOfError(ended(), fenced)).toMatchObject({
      outcome: "interrupted",
      reason: { code: "LeaseLost" },
    });
  });

  it("whose loop stopped is interrupted, whatever failed because of that", () => {
    const stopped = ended(new RunEnded("interrupted", "stopping"));
    expect(endingOfError(stopped, refused)).toMatchObject({
      outcome: "interrupted",
      reason: { code: "RunInterrupted" },
    });
  });

  it("that took too long is timed out, whatever failed because of that", () => {
    const late = ended(new RunEnded("timedOut", "the run took more than 2 min"));
    expect(endingOfError(late, refused)).toMatchObject({
      outcome: "timedOut",
      reason: { code: "Unexplained", message: "the run took more than 2 min" },
    });
  });
});
