import { describe, expect, it } from "vitest";
import { watchSession } from "./session-watch.ts";

function setUp() {
  const told = new Set<() => void>();
  const state = { now: 0, isSignedIn: true, asked: 0 };
  const watch = watchSession({
    feed: {
      onAccounts: (listener) => {
        told.add(listener);
        return () => told.delete(listener);
      },
    },
    isSignedIn: async () => {
      state.asked += 1;
      return state.isSignedIn;
    },
    now: () => state.now,
  });
  return { state, told, watch, accountsChange: () => told.forEach((listener) => void listener()) };
}

describe("the session of an open page", () => {
  it("is looked at as soon as accounts have changed, once for each change", async () => {
    const { state, watch, accountsChange } = setUp();
    expect(await watch.hasEnded()).toBe(false);
    expect(state.asked).toBe(0);
    accountsChange();
    expect(await watch.hasEnded()).toBe(false);
    expect(await watch.hasEnded()).toBe(false);
    expect(state.asked).toBe(1);
    state.isSignedIn = false;
    accountsChange();
    expect(await watch.hasEnded()).toBe(true);
  });

  it("is looked at now and then without a word of accounts", async () => {
    const { state, watch } = setUp();
    state.isSignedIn = false;
    state.now = 5_000;
    expect(await watch.hasEnded()).toBe(false);
    state.now = 5_001;
    expect(await watch.hasEnded()).toBe(true);
  });

  it("is left alone once the page is gone", () => {
    const { told, watch } = setUp();
    watch.stop();
    expect(told.size).toBe(0);
  });
});
