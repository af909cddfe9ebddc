import type { Topic } from "@cloudwright/store/database/topics";
import { describe, expect, it } from "vitest";
import { changesOf } from "./changes.ts";
import type { LiveFeed } from "./live-feed.ts";

function feedByHand() {
  const listeners = new Map<string, (topics: readonly Topic[]) => void>();
  const feed: Pick<LiveFeed, "subscribe"> = {
    subscribe: (cluster, listener) => {
      listeners.set(cluster, listener);
      return () => listeners.delete(cluster);
    },
  };
  return { feed, listeners, report: (topics: readonly Topic[]) => listeners.get("c1")?.(topics) };
}

describe("the changes of a cluster", () => {
  it("arrive merged if they happened between two requests", async () => {
    const { feed, report } = feedByHand();
    const end = new AbortController();
    const changes = changesOf({ feed, cluster: "c1", signal: end.signal, pauseMs: 0 });
    const first = changes.next();
    report(["nodes"]);
    expect(await first).toEqual({ done: false, value: ["nodes"] });
    report(["runs"]);
    report(["nodes"]);
    report(["runs"]);
    expect((await changes.next()).value).toEqual(["runs", "nodes"]);
    end.abort();
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  it("end when the signal fires during a wait, and stop listening", async () => {
    const { feed, listeners } = feedByHand();
    const end = new AbortController();
    const changes = changesOf({ feed, cluster: "c1", signal: end.signal, pauseMs: 0 });
    const waiting = changes.next();
    expect(listeners.size).toBe(1);
    end.abort();
    expect((await waiting).done).toBe(true);
    expect(listeners.size).toBe(0);
  });

  it("also end when the signal fires during the pause after an answer", async () => {
    const { feed, report } = feedByHand();
    const end = new AbortController();
    const changes = changesOf({ feed, cluster: "c1", signal: end.signal, pauseMs: 3_600_000 });
    const first = changes.next();
    report(["audit"]);
    await first;
    const second = changes.next();
    end.abort();
    expect((await second).done).toBe(true);
  });
});
