import { describe, expect, it } from "vitest";
import { watchSession } from "./changes.ts";

function setUp() {
  const reported = new Set<() => void>();
  const state = { now: 0, isSignedIn: true, requested: 0 };
  const watch = watchSession({
    feed: {
      onAccounts: (listener) => {
        reported.add(listener);
        return () => reported.delete(listener);
      },
    },
    isSignedIn: async () => {
      state.requested += 1;
      return state.isSignedIn;
    },
    now: () => state.now,
  });
  return {
    state,
    reported,
    watch,
    accountsChange: () => reported.forEach((listener) => void listener()),
  };
}

describe("the session of an open page", () => {
  it("is checked as soon as accounts have changed, once per change", async () => {
    const { state, watch, accountsChange } = setUp();
    expect(await watch.hasEnded()).toBe(false);
    expect(state.requested).toBe(0);
    accountsChange();
    expect(await watch.hasEnded()).toBe(false);
    expect(await watch.hasEnded()).toBe(false);
    expect(state.requested).toBe(1);
    state.isSignedIn = false;
    accountsChange();
    expect(await watch.hasEnded()).toBe(true);
  });

  it("is checked at intervals without a report about accounts", async () => {
    const { state, watch } = setUp();
    state.isSignedIn = false;
    state.now = 5_000;
    expect(await watch.hasEnded()).toBe(false);
    state.now = 5_001;
    expect(await watch.hasEnded()).toBe(true);
  });

  it("is no longer checked once the page is gone", () => {
    const { reported, watch } = setUp();
    watch.stop();
    expect(reported.size).toBe(0);
  });
});
