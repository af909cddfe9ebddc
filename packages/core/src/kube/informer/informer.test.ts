import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Clock } from "../../model/time.ts";
import { createKubeClient } from "../calls/kube-client.ts";
import { type KubeObject, NODES } from "../client.ts";
import { systemClock } from "../system-clock.ts";
import {
  type SeenRequest,
  sendJson,
  sendStatus,
  startApiServer,
  type TestApiServer,
} from "../testing/api-server.ts";
import { type InformerOptions, startInformer } from "./informer.ts";
import type { Informer, InformerEvent } from "./informer-port.ts";

const WAIT = { timeout: 20_000, interval: 5 };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function node(name: string, version: number, uid = `uid-${name}`): KubeObject {
  return { metadata: { name, uid, resourceVersion: String(version) } };
}

function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

/** The server's answers to the nth list and the nth watch, counted from 0; the last one applies to all later ones. */
interface Script {
  readonly lists: readonly ((response: ServerResponse, request: SeenRequest) => void)[];
  readonly watches: readonly ((response: ServerResponse, request: SeenRequest) => void)[];
}

const quiet = (response: ServerResponse) => {
  response.flushHeaders();
};

function listOf(version: number, ...items: KubeObject[]) {
  return (response: ServerResponse) =>
    sendJson(response, { items, metadata: { resourceVersion: String(version) } });
}

function saying(...lines: string[]) {
  return (response: ServerResponse) => {
    response.flushHeaders();
    for (const text of lines) response.write(text);
  };
}

interface Setup {
  readonly server: TestApiServer;
  readonly informer: Informer<KubeObject>;
  readonly events: string[];
  readonly errors: unknown[];
  readonly lists: () => SeenRequest[];
  readonly watches: () => SeenRequest[];
  readonly stop: () => void;
}

async function setUp(
  script: Script,
  change: Partial<InformerOptions<KubeObject>> = {},
): Promise<Setup> {
  const isWatch = (request: SeenRequest) => request.query.get("watch") === "true";
  const server = await startApiServer((request, response) => {
    const watched = isWatch(request);
    const steps = watched ? script.watches : script.lists;
    const turn = server.requests.filter((seen) => isWatch(seen) === watched).length - 1;
    steps[Math.min(turn, steps.length - 1)]?.(response, request);
  });
  const client = createKubeClient({
    access: server.access,
    qps: 0,
    burst: 1,
    clock: systemClock,
    userAgent: "test",
  });
  const end = new AbortController();
  const events: string[] = [];
  const errors: unknown[] = [];
  const informer = startInformer<KubeObject>({
    client,
    resource: NODES,
    clock: systemClock,
    random: () => 0,
    signal: end.signal,
    onError: (error) => errors.push(error),
    ...change,
  });
  informer.subscribe((event) => events.push(summary(event)));
  closers.push(server.close, client.close, async () => end.abort());
  return {
    server,
    informer,
    events,
    errors,
    lists: () => server.requests.filter((request) => !isWatch(request)),
    watches: () => server.requests.filter(isWatch),
    stop: () => end.abort(),
  };
}

function summary(event: InformerEvent<KubeObject>): string {
  const { name, resourceVersion } = event.object.metadata ?? {};
  const more = { added: "initial", updated: "", deleted: "final" }[event.kind];
  const flag =
    (event.kind === "added" && event.initial) || (event.kind === "deleted" && event.final);
  return `${event.kind} ${name}@${resourceVersion}${flag ? ` ${more}` : ""}`;
}

describe("the informer", () => {
  it("lists in pages, then watches with bookmarks from the list's version", async () => {
    const { informer, lists, watches, events } = await setUp({
      lists: [
        (response) =>
          sendJson(response, {
            items: [node("a", 3)],
            metadata: { resourceVersion: "10", continue: "next" },
          }),
        listOf(10, node("b", 4)),
      ],
      watches: [quiet],
    });
    await informer.synced;
    expect(informer.hasSynced).toBe(true);
    expect(events).toEqual(["added a@3 initial", "added b@4 initial"]);
    expect(informer.list()).toHaveLength(2);
    await expect.poll(() => watches().length, WAIT).toBe(1);
    expect(lists().map((request) => Object.fromEntries(request.query))).toEqual([
      { limit: "500" },
      { limit: "500", continue: "next" },
    ]);
    expect(Object.fromEntries(watches()[0]?.query ?? [])).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: "10",
      timeoutSeconds: "300",
    });
  });

  it("requests everything at once when the version of the pages has expired", async () => {
    const { informer, lists } = await setUp({
      lists: [
        (response) =>
          sendJson(response, {
            items: [node("a", 3)],
            metadata: { resourceVersion: "10", continue: "next" },
          }),
        (response) => sendStatus(response, 410, "Expired"),
        listOf(20, node("a", 3), node("b", 15)),
      ],
      watches: [quiet],
    });
    await informer.synced;
    expect(informer.list()).toHaveLength(2);
    expect(lists()[2]?.query.size).toBe(0);
  });

  it("follows changes and reports them once the cache shows them", async () => {
    const { informer, events } = await setUp({
      lists: [listOf(10, node("a", 3))],
      watches: [
        saying(
          line("ADDED", node("b", 11)),
          line("MODIFIED", node("a", 12)),
          line("BOOKMARK", { kind: "Node", metadata: { resourceVersion: "13" } }),
          line("DELETED", node("b", 14)),
        ),
      ],
    });
    const seen: (string | undefined)[] = [];
    informer.subscribe((event) =>
      seen.push(informer.get(event.object.metadata?.name ?? "")?.metadata?.resourceVersion),
    );
    await expect
      .poll(() => events, WAIT)
      .toEqual(["added a@3 initial", "added b@11", "updated a@12", "deleted b@14 final"]);
    expect(seen).toEqual(["3", "11", "12", undefined]);
  });

  it("resumes from the last version, including a bookmark's, when a watch is cut", async () => {
    const cut =
      (...lines: string[]) =>
      (response: ServerResponse) => {
        saying(...lines)(response);
        setImmediate(() => response.socket?.destroy());
      };
    const { lists, watches, events } = await setUp({
      lists: [listOf(10, node("a", 3))],
      watches: [
        cut(
          line("MODIFIED", node("a", 12)),
          line("BOOKMARK", { metadata: { resourceVersion: "30" } }),
        ),
        saying(line("MODIFIED", node("a", 31))),
      ],
    });
    await expect.poll(() => events, WAIT).toContain("updated a@31");
    expect(watches().map((request) => request.query.get("resourceVersion"))).toEqual(["10", "30"]);
    expect(lists()).toHaveLength(1);
  });

  it.each([
    ["by its status", (response: ServerResponse) => sendStatus(response, 410, "Expired")],
    [
      "by an ERROR event",
      saying(line("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" })),
    ],
  ])(
    "lists again when the version has expired, reported %s, and infers deletions",
    async (_, gone) => {
      const { events, lists, watches, errors } = await setUp({
        lists: [
          listOf(10, node("a", 3), node("b", 4), node("c", 5)),
          listOf(50, node("a", 3), node("c", 40, "another")),
        ],
        watches: [gone, quiet],
      });
      await expect.poll(() => watches().length, WAIT).toBe(2);
      expect(events.slice(3)).toEqual(["deleted b@4", "deleted c@5", "added c@40"]);
      expect(lists()).toHaveLength(2);
      expect(errors).toMatchObject([{ code: "Gone" }]);
    },
  );

  it("lists again after a line that is not an event, and reports that", async () => {
    const { events, errors } = await setUp({
      lists: [listOf(10, node("a", 3)), listOf(20, node("a", 15))],
      watches: [saying(line("MODIFIED", node("a", 12)), '{"type":"MODIFIED","obj\n'), quiet],
    });
    await expect
      .poll(() => events, WAIT)
      .toEqual(["added a@3 initial", "updated a@12", "updated a@15"]);
    expect(errors).toMatchObject([{ message: expect.stringContaining("not an event") }]);
  });

  it("lists again after an ERROR event of the API server itself", async () => {
    const { lists } = await setUp({
      lists: [listOf(10)],
      watches: [saying(line("ERROR", { kind: "Status", code: 500, message: "etcd" })), quiet],
    });
    await expect.poll(() => lists().length, WAIT).toBe(2);
  });

  it("abandons a connection on which nothing comes, and resumes where it was", async () => {
    const { watches, lists, events, errors } = await setUp(
      {
        lists: [listOf(10, node("a", 3))],
        watches: [quiet, saying(line("MODIFIED", node("a", 11)))],
      },
      { silenceLimitMs: 50 },
    );
    await expect.poll(() => events, WAIT).toContain("updated a@11");
    expect(watches()[1]?.query.get("resourceVersion")).toBe("10");
    expect(lists()).toHaveLength(1);
    expect(errors[0]).toMatchObject({ message: expect.stringContaining("considered broken") });
  });

  it("keeps a connection that is slow but alive, however the bytes are split", async () => {
    const { events, watches } = await setUp(
      {
        lists: [listOf(10)],
        watches: [
          (response) => {
            response.flushHeaders();
            const bytes = Buffer.from(line("ADDED", node("a-ü", 11)));
            let at = 0;
            const drip = setInterval(() => {
              response.write(bytes.subarray(at, at + 4));
              at += 4;
              if (at >= bytes.length) clearInterval(drip);
            }, 5);
          },
        ],
      },
      { silenceLimitMs: 2_000 },
    );
    await expect.poll(() => events, WAIT).toEqual(["added a-ü@11"]);
    expect(watches()).toHaveLength(1);
  });

  it("waits longer and longer, up to half a minute, for a server that ends each watch at once", async () => {
    const delays: number[] = [];
    const hasty: Clock = {
      ...systemClock,
      after: (delayMs, callback) => {
        const isPause = delayMs < 60_000;
        if (isPause) delays.push(delayMs);
        return systemClock.after(isPause ? 0 : delayMs, callback);
      },
    };
    const { watches, lists, stop } = await setUp(
      { lists: [listOf(10)], watches: [(response) => response.end()] },
      { clock: hasty },
    );
    await expect.poll(() => watches().length, WAIT).toBeGreaterThan(10);
    stop();
    expect(delays.slice(0, 10)).toEqual([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000,
    ]);
    expect(lists()).toHaveLength(1);
  });

  it("keeps trying when the API server is not available at first", async () => {
    const { informer, errors } = await setUp({
      lists: [
        (response) => response.socket?.destroy(),
        (response) => response.socket?.destroy(),
        (response) => sendStatus(response, 403, "Forbidden"),
        listOf(10, node("a", 3)),
      ],
      watches: [quiet],
    });
    await informer.synced;
    expect(informer.get("a")).toBeDefined();
    expect(errors.length).toBeGreaterThan(0);
  });

  it("survives an overloaded API server without listing again", async () => {
    const { watches, lists } = await setUp({
      lists: [listOf(10)],
      watches: [
        (response) => sendStatus(response, 429, "TooManyRequests"),
        (response) => sendStatus(response, 503, "ServiceUnavailable"),
        quiet,
      ],
    });
    await expect.poll(() => watches().length, WAIT).toBe(3);
    expect(lists()).toHaveLength(1);
  });

  it("lists again when its version is from the future, as after a restored backup", async () => {
    const { lists } = await setUp({
      lists: [listOf(1_000), listOf(5)],
      watches: [(response) => sendStatus(response, 504, "Timeout"), quiet],
    });
    await expect.poll(() => lists().length, WAIT).toBe(2);
  });

  it("goes on when a subscriber throws, and reports it", async () => {
    const { informer, events, errors } = await setUp({
      lists: [listOf(10)],
      watches: [saying(line("ADDED", node("a", 11)), line("ADDED", node("b", 12)))],
    });
    const unsubscribe = informer.subscribe(() => {
      throw new Error("a mistake of the subscriber");
    });
    await expect.poll(() => events, WAIT).toEqual(["added a@11", "added b@12"]);
    expect(errors).toHaveLength(2);
    unsubscribe();
  });

  it("drops unused fields on arrival", async () => {
    const full = {
      ...node("a", 3),
      spec: 1,
      metadata: { ...node("a", 3).metadata, managedFields: [] },
    };
    const { informer } = await setUp(
      { lists: [listOf(10, full)], watches: [quiet] },
      { strip: (object) => ({ ...object, spec: undefined }) },
    );
    await informer.synced;
    expect(informer.get("a")).toEqual({ ...node("a", 3), spec: undefined });
  });

  it("requests only what is selected", async () => {
    const { informer, server } = await setUp(
      { lists: [listOf(10)], watches: [quiet] },
      { fieldSelector: "metadata.name=a", labelSelector: "x=y" },
    );
    await informer.synced;
    await expect.poll(() => server.requests.length, WAIT).toBe(2);
    for (const request of server.requests) {
      expect(request.query.get("fieldSelector")).toBe("metadata.name=a");
      expect(request.query.get("labelSelector")).toBe("x=y");
    }
  });

  it("ends with its signal, without an error", async () => {
    const { informer, watches, errors, stop, server } = await setUp({
      lists: [listOf(10)],
      watches: [quiet],
    });
    await informer.synced;
    await expect.poll(() => watches().length, WAIT).toBe(1);
    stop();
    await server.close();
    expect(errors).toEqual([]);
    expect(informer.silentMs()).toBeGreaterThanOrEqual(0);
  });
});
