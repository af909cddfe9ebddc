import { describe, expect, it, test } from "vitest";
import type { Next } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createWorkQueue } from "../../queue/work-queue.ts";
import { mostUrgent } from "../triggers.ts";
import { requeue } from "./requeue.ts";

const PROVISIONING = {
  code: "BalancerProvisioning",
  provider: "sandbox",
  id: "lb-1",
  what: "lb-1 is updating",
} as const;

function nextAt(next: Next, at: number): number | undefined {
  const queue = createWorkQueue<Trigger>({
    name: "service",
    clock: createManualClock(),
    backoff: { baseMs: 5_000, maxMs: 300_000 },
    merge: mostUrgent,
  });
  const { kind, reason } = next;
  const outcome = kind === "settled" ? "unchanged" : kind;
  return requeue(queue, "shop/web", { outcome, next, reason, error: undefined, at });
}

describe("a key that waits for a cloud at work", () => {
  test.each([
    [10_000, 10_500],
    [10_001, 10_500],
    [10_250, 10_500],
    [10_251, 11_000],
    [10_499, 11_000],
  ])("comes back at the nearest common time: from %i at %i", (at, expected) => {
    const next: Next = { kind: "waiting", reason: PROVISIONING, forMs: 500 };
    expect(nextAt(next, at)).toBe(expected);
  });

  it("comes back at once when it is due at once", () => {
    expect(nextAt({ kind: "waiting", reason: PROVISIONING, forMs: 0 }, 10_001)).toBe(10_001);
  });
});

it("does not align a key that waits for anything else", () => {
  const next: Next = { kind: "waiting", reason: { code: "InStep" }, forMs: 500 };
  expect(nextAt(next, 10_001)).toBe(10_501);
  expect(nextAt({ kind: "settled", reason: { code: "InStep" } }, 10_001)).toBeUndefined();
});
