import { beforeEach, describe, expect, test } from "vitest";
import type { NewAuditEntry } from "./audit-insert.ts";
import { ACTOR_MOST, ALL_MOST, FOLDED_FOR_MS, refusalLog, SAME_MOST } from "./refusal-log.ts";

let written: NewAuditEntry[];
let now: number;
/** The user whose session has ended. */
let over: string | undefined;
let timers: { readonly at: number; readonly work: () => void; isOver: boolean }[];
beforeEach(() => {
  written = [];
  over = undefined;
  now = Date.UTC(2026, 0, 2, 3, 4, 5);
  timers = [];
});

function newLog() {
  return refusalLog({
    write: (entry) => {
      if (entry.actor.id === over) return Promise.reject(new Error("no live session"));
      written.push(entry);
      return Promise.resolve();
    },
    onLost: (error) => expect.unreachable(String(error)),
    now: () => now,
    later: (ms, work) => {
      const timer = { at: now + ms, work, isOver: false };
      timers.push(timer);
      return () => {
        timer.isOver = true;
      };
    },
  });
}

/** Advances the clock and runs the timers that are due. */
function pass(ms: number): void {
  now += ms;
  for (const timer of timers) {
    if (!timer.isOver && timer.at <= now) timer.work();
  }
}

function refused(over: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    actor: { kind: "person", id: "ana", name: "Ana" },
    action: "account.refused",
    why: "You are not signed in.",
    result: "refused",
    before: null,
    after: { request: "intents.retry" },
    client: { address: "192.0.2.1", agent: "a test" },
    ...over,
  };
}

function nobody(address: string): NewAuditEntry {
  return refused({
    actor: { kind: "system", id: "nobody", name: "Nobody signed in" },
    client: { address, agent: "a test" },
  });
}

describe("refused requests", () => {
  test("that are few have entries of their own", async () => {
    const log = newLog();
    for (let one = 0; one < SAME_MOST; one += 1) await log.record(refused());
    expect(written).toHaveLength(SAME_MOST);
    pass(FOLDED_FOR_MS);
    expect(written).toHaveLength(SAME_MOST);
  });

  test("of the same kind are one entry after ten minutes, which says how many there were", async () => {
    const log = newLog();
    for (let one = 0; one < SAME_MOST + 311; one += 1) await log.record(refused());
    expect(written).toHaveLength(SAME_MOST);
    expect(log.counted()).toEqual([{ last: refused(), more: 311 }]);
    pass(FOLDED_FOR_MS);
    expect(log.counted()).toEqual([]);
    expect(written.slice(SAME_MOST)).toEqual([
      refused({
        why: "You are not signed in. … and 311 more of the same in 10 min",
        after: {
          request: "intents.retry",
          more: 311,
          since: "2026-01-02T03:04:05.000Z",
          until: "2026-01-02T03:14:05.000Z",
        },
      }),
    ]);
    await log.record(refused());
    expect(written, "after that they begin anew").toHaveLength(SAME_MOST + 2);
  });

  test("that say different things do not hide each other", async () => {
    const log = newLog();
    for (let one = 0; one < 100; one += 1) await log.record(refused());
    await log.record(refused({ action: "account.change" }));
    await log.record(refused({ after: { request: "people.create" } }));
    await log.record(refused({ actor: { kind: "person", id: "bo", name: "Bo" } }));
    expect(written).toHaveLength(SAME_MOST + 3);
  });

  test("of one actor are bounded, however much they differ", async () => {
    const log = newLog();
    const names = Array.from({ length: 1_000 }, (_, at) => `node-${at}`);
    for (const name of names) await log.record(refused({ object: { kind: "Node", name } }));
    expect(written).toHaveLength(ACTOR_MOST);
    pass(FOLDED_FOR_MS);
    expect(written).toHaveLength(ACTOR_MOST + 1);
    expect(written.at(-1)?.why).toContain("… and 940 more refused requests in 10 min");
  });

  test("of unknown actors are distinguished by address, and bounded for all addresses", async () => {
    const log = newLog();
    for (let one = 0; one < 10; one += 1) await log.record(nobody("192.0.2.1"));
    await log.record(nobody("192.0.2.2"));
    expect(written).toHaveLength(SAME_MOST + 1);
    for (let one = 0; one < 5_000; one += 1) await log.record(nobody(`2001:db8::${one}`));
    expect(written).toHaveLength(ALL_MOST);
    pass(FOLDED_FOR_MS);
    expect(written.length).toBe(ALL_MOST + 2);
    expect(written.map(({ after }) => after)).toContainEqual(
      expect.objectContaining({ more: 5_000 - (ALL_MOST - SAME_MOST - 1) }),
    );
  });

  test("that were only counted are written when the process ends", async () => {
    const log = newLog();
    for (let one = 0; one < SAME_MOST + 2; one += 1) await log.record(refused());
    pass(61_000);
    await log.flush();
    expect(written.at(-1)?.why).toContain("… and 2 more of the same in 2 min");
    pass(FOLDED_FOR_MS);
    expect(written).toHaveLength(SAME_MOST + 1);
  });

  test("of a user whose session has ended meanwhile are reported without the user's proof", async () => {
    const log = newLog();
    for (let one = 0; one < SAME_MOST + 2; one += 1) await log.record(refused());
    over = "ana";
    await log.flush();
    expect(written.at(-1)).toMatchObject({
      actor: { kind: "system", id: "nobody" },
      why: expect.stringContaining("… and 2 more of the same"),
      after: { more: 2, user: { id: "ana", name: "Ana" } },
    });
  });
});
