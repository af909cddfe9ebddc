import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createKubeClient } from "../calls/kube-client.ts";
import { systemClock } from "../system-clock.ts";
import {
  type SeenRequest,
  sendJson,
  sendStatus,
  startApiServer,
  type TestApiServer,
} from "../testing/api-server.ts";
import type { KubeEvent, SeenEvent } from "./read-event.ts";
import {
  type ObjectEventWatch,
  type ObjectEventWatchOptions,
  watchObjectEvents,
} from "./watch-object-events.ts";

const WAIT = { timeout: 20_000, interval: 20 };
const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function event(uid: string, count = 1, over: KubeEvent = {}): KubeEvent {
  return {
    metadata: { uid, name: uid, resourceVersion: String(count) },
    involvedObject: { kind: "Node", name: "w-1" },
    ...{ type: "Normal", reason: "Starting", message: "", count },
    source: { component: "kubelet" },
    lastTimestamp: new Date(1_000_000 + count * 1_000).toISOString(),
    ...over,
  };
}

interface Setup {
  readonly server: TestApiServer;
  readonly watch: ObjectEventWatch;
  readonly recorded: SeenEvent[];
  /** The reports, in order. */
  readonly said: string[];
  readonly lists: () => SeenRequest[];
  readonly watches: () => SeenRequest[];
}

async function setUp(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  change: Partial<ObjectEventWatchOptions> = {},
): Promise<Setup> {
  const server = await startApiServer(answer);
  const access = { access: server.access, qps: 0, burst: 1 };
  const client = createKubeClient({ ...access, clock: systemClock, userAgent: "test" });
  const end = new AbortController();
  const recorded: SeenEvent[] = [];
  const said: string[] = [];
  const watch = watchObjectEvents({
    ...{ client, kinds: ["Node"], except: ["ours"], clock: systemClock, random: () => 0 },
    signal: end.signal,
    record: (events) => recorded.push(...events),
    hasRoom: () => true,
    onLeftOut: () => said.push("left out"),
    onDenied: () => said.push("denied"),
    onGranted: () => said.push("granted"),
    onError: () => said.push("failed"),
    ...change,
  });
  closers.push(server.close, client.close, () => end.abort());
  const isWatch = (request: SeenRequest) => request.query.get("watch") === "true";
  return {
    ...{ server, watch, recorded, said },
    lists: () => server.requests.filter((request) => !isWatch(request)),
    watches: () => server.requests.filter(isWatch),
  };
}

function sendList(response: ServerResponse, items: readonly KubeEvent[], next?: string): void {
  const metadata = { resourceVersion: "10", ...(next === undefined ? {} : { continue: next }) };
  sendJson(response, { items, metadata });
}

function sendEvents(response: ServerResponse, ...events: readonly KubeEvent[]): void {
  response.flushHeaders();
  for (const object of events) {
    response.write(`${JSON.stringify({ type: "MODIFIED", object })}\n`);
  }
}

const isWatched = ({ query }: SeenRequest) => query.get("watch") === "true";
const uids = (events: readonly SeenEvent[]) => events.map(({ uid, count }) => `${uid} ${count}`);

describe("the watch of other components' Events", () => {
  it("lists those of its kinds in pages without ours, then watches", async () => {
    const { recorded, watch, lists, watches } = await setUp((request, response) => {
      if (isWatched(request)) sendEvents(response, event("c"), event("d"));
      else if (request.query.has("continue")) sendList(response, [event("b")]);
      else sendList(response, [event("a")], "next");
    });
    await expect.poll(() => uids(recorded), WAIT).toEqual(["a 1", "b 1", "c 1", "d 1"]);
    expect(watch.status()).toEqual({ state: "watching", leftOut: 0 });
    const fieldSelector = "involvedObject.kind=Node,source!=ours";
    expect(lists().map(({ path, query }) => [path, query.get("fieldSelector")])).toEqual([
      ["/api/v1/events", fieldSelector],
      ["/api/v1/events", fieldSelector],
    ]);
    expect(Object.fromEntries(watches()[0]?.query ?? [])).toMatchObject({
      ...{ fieldSelector, resourceVersion: "10" },
    });
  });

  it("also filters itself, in case the API server ignores the selector", async () => {
    const { recorded } = await setUp((request, response) => {
      if (isWatched(request)) return response.flushHeaders();
      const pod = { involvedObject: { kind: "Pod", name: "p" } };
      sendList(response, [
        event("a", 1, { source: { component: "ours" } }),
        event("b", 1, pod),
        event("c"),
      ]);
    });
    await expect.poll(() => uids(recorded), WAIT).toEqual(["c 1"]);
  });

  it("records one that repeats fast as one, with its newest count", async () => {
    const repeats = Array.from({ length: 400 }, (_, index) => event("a", index + 1));
    const { recorded } = await setUp((request, response) => {
      if (isWatched(request)) sendEvents(response, ...repeats);
      else sendList(response, []);
    });
    await expect.poll(() => uids(recorded).at(-1), WAIT).toBe("a 400");
    expect(recorded.length).toBeLessThanOrEqual(2);
  });

  it("lists again when its version has expired, and records no Event twice", async () => {
    let watched = 0;
    const { recorded, lists } = await setUp((request, response) => {
      if (!isWatched(request)) return sendList(response, [event("a"), event("b", watched + 1)]);
      watched += 1;
      if (watched === 1) sendStatus(response, 410, "Expired");
      else response.flushHeaders();
    });
    await expect.poll(() => uids(recorded).at(-1), WAIT).toBe("b 2");
    expect(uids(recorded).filter((one) => one === "a 1")).toHaveLength(1);
    expect(lists()).toHaveLength(2);
  });

  it("reports a refusal once, retries, and reports when it is allowed", async () => {
    const refused = new Set(["list", "watch"]);
    const { said, watch, lists, recorded } = await setUp((request, response) => {
      if (refused.size > 0) sendStatus(response, 403, "Forbidden");
      else if (isWatched(request)) response.flushHeaders();
      else sendList(response, [event("a")]);
    });
    await expect.poll(() => lists().length, WAIT).toBeGreaterThan(2);
    expect(said).toEqual(["denied"]);
    expect(watch.status().state).toBe("denied");
    refused.clear();
    await expect.poll(() => uids(recorded), WAIT).toEqual(["a 1"]);
    expect(said).toEqual(["denied", "granted"]);
    expect(watch.status().state).toBe("watching");
  });

  it("keeps what waits for room, and counts what there is no room for at all", async () => {
    const pages = Array.from({ length: 25 }, (_, page) =>
      Array.from({ length: 500 }, (_, index) => event(`${page}-${index}`)),
    );
    let hasRoom = false;
    const { watch, recorded, lists } = await setUp(
      (request, response) => {
        if (isWatched(request)) return sendEvents(response, ...pages.flat());
        sendList(response, []);
      },
      { hasRoom: () => hasRoom },
    );
    await expect.poll(() => watch.status().leftOut, WAIT).toBe(2_500);
    expect(recorded).toEqual([]);
    hasRoom = true;
    await expect.poll(() => recorded.length, WAIT).toBeGreaterThan(0);
    expect(recorded.length % 250).toBe(0);
    expect(lists()).toHaveLength(1);
  });

  it("requests the next page when there is room for it", async () => {
    const pages = 12;
    let hasRoom = false;
    const { watch, lists } = await setUp(
      (request, response) => {
        if (isWatched(request)) return response.flushHeaders();
        const page = Number(request.query.get("continue") ?? "0");
        const items = Array.from({ length: 500 }, (_, index) => event(`${page}-${index}`));
        sendList(response, items, page + 1 < pages ? String(page + 1) : undefined);
      },
      { hasRoom: () => hasRoom },
    );
    await expect.poll(() => lists().length, WAIT).toBe(11);
    hasRoom = true;
    await expect.poll(() => lists().length, WAIT).toBe(pages);
    expect(watch.status().leftOut).toBe(0);
  });
});
