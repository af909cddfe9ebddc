import { describe, expect, it, vi } from "vitest";
import { KubeError, type KubeErrorCode } from "../../kube/errors.ts";
import type { Pause } from "../../model/controls.ts";
import type { ControlRecord, RecordData } from "./control-record.ts";
import { CONTROL_RECORD_NAME, ControlStore } from "./control-store.ts";

interface ConfigMap {
  readonly metadata?: { readonly resourceVersion?: string; readonly uid?: string };
  readonly data?: RecordData;
}

/** One ConfigMap as the API server keeps it: a write based on an older version is refused. */
class Server {
  object: ConfigMap | undefined;
  readonly requests: string[] = [];
  /** Decides for each request whether the server refuses it to this process. */
  refuse: (verb: string) => KubeErrorCode | undefined = () => undefined;
  /** Makes the changes of others, right before a write takes effect. */
  meanwhile: () => void = () => undefined;
  #version = 0;

  readonly client = {
    get: (async () => {
      this.#begin("get");
      if (this.object === undefined) throw refusal("NotFound");
      return this.object;
    }) as never,
    create: (async (_target: unknown, object: ConfigMap) => {
      this.#begin("create");
      if (this.object !== undefined) throw refusal("AlreadyExists");
      return this.put(object.data ?? {});
    }) as never,
    update: (async (_target: unknown, object: ConfigMap) => {
      this.#begin("update");
      if (this.object === undefined) throw refusal("NotFound");
      const isStale = object.metadata?.resourceVersion !== this.object.metadata?.resourceVersion;
      if (isStale) throw refusal("Conflict");
      return this.put(object.data ?? {});
    }) as never,
  };

  put(data: RecordData): ConfigMap {
    this.#version += 1;
    this.object = { metadata: { resourceVersion: String(this.#version), uid: "u-1" }, data };
    return this.object;
  }

  #begin(verb: string): void {
    this.requests.push(verb);
    const others = this.meanwhile;
    this.meanwhile = () => undefined;
    if (verb !== "get") others();
    const code = this.refuse(verb);
    if (code !== undefined) throw refusal(code);
  }
}

function refusal(code: KubeErrorCode): KubeError {
  return new KubeError(code, `${code}: configmaps`, { verb: "update", resource: "configmaps" });
}

function fixture({ dryRun = false } = {}) {
  const server = new Server();
  const onProblem = vi.fn<(sentence: string) => void>();
  const onChange = vi.fn<(now: ControlRecord, before: ControlRecord) => void>();
  const namespace = "kube-system";
  const store = new ControlStore({ client: server.client, namespace, dryRun, onProblem, onChange });
  return { server, store, onProblem, onChange };
}

function pause(name: string): Pause {
  const controller = `${name}-controller`;
  return { controller, by: "ana", why: "INC-1", at: 1, until: 9_000, intentId: `i-${name}` };
}

function adding(one: Pause) {
  return (record: ControlRecord) => ({
    record: { ...record, pauses: [...record.pauses, one] },
    answer: record.pauses.length,
  });
}

const pausedIn = ({ pauses }: ControlRecord) =>
  pauses.map(({ controller }) => controller.replace("-controller", ""));
const keptOn = (server: Server) => JSON.stringify(server.object?.data ?? {});

describe("an edit of the control record", () => {
  it("creates the ConfigMap if there is none, under its name in the election namespace", async () => {
    const { server, store, onChange } = fixture();
    expect(await store.update(adding(pause("routes")))).toBe(0);
    expect(server.requests).toEqual(["create"]);
    expect(keptOn(server)).toContain("i-routes");
    expect(CONTROL_RECORD_NAME).toBe("cloudwright-controls");
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(pausedIn(onChange.mock.lastCall?.[0] ?? store.record)).toEqual(["routes"]);
  });

  it("shows at once, and is stored when the promise resolves", async () => {
    const { server, store } = fixture();
    const kept = store.update(adding(pause("routes")));
    expect(pausedIn(store.record)).toEqual(["routes"]);
    expect(server.object).toBeUndefined();
    await kept;
    expect(server.object).toBeDefined();
  });

  it("made during a write is gathered with others into the next one", async () => {
    const { server, store } = fixture();
    const answers = ["a", "b", "c", "d"].map((name) => store.update(adding(pause(name))));
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3]);
    expect(server.requests.length).toBeLessThanOrEqual(2);
    expect(pausedIn(store.record)).toEqual(["a", "b", "c", "d"]);
  });

  it("without a change is not written", async () => {
    const { server, store } = fixture();
    expect(await store.update((record) => ({ record, answer: "same" }))).toBe("same");
    expect(server.requests).toEqual([]);
  });

  it("is applied again on top of what somebody else wrote meanwhile, and neither change is lost", async () => {
    const { server, store } = fixture();
    await store.update(adding(pause("a")));
    const other = fixture();
    other.server.object = server.object;
    await other.store.refresh();
    await other.store.update(adding(pause("b")));
    server.meanwhile = () => {
      server.put(other.server.object?.data ?? {});
    };
    expect(await store.update(adding(pause("c")))).toBe(2);
    expect(pausedIn(store.record)).toEqual(["a", "b", "c"]);
    expect(keptOn(server)).toContain("i-b");
  });

  it("preserves the keys of others in the ConfigMap", async () => {
    const { server, store } = fixture();
    server.put({ "somebody.else": "theirs" });
    await store.refresh();
    await store.update(adding(pause("a")));
    expect(server.object?.data).toMatchObject({ "somebody.else": "theirs" });
  });

  it("is given up after six races, and leaves no trace", async () => {
    const { server, store } = fixture();
    await store.refresh();
    server.refuse = (verb) => (verb === "get" ? undefined : "Conflict");
    await expect(store.update(adding(pause("a")))).rejects.toMatchObject({ code: "Conflict" });
    expect(server.requests.filter((verb) => verb !== "get")).toHaveLength(6);
    expect(pausedIn(store.record)).toEqual([]);
  });

  it("that fails for another cause is not retried; later edits go on", async () => {
    const { server, store } = fixture();
    server.refuse = () => "Unavailable";
    await expect(store.update(adding(pause("a")))).rejects.toMatchObject({ code: "Unavailable" });
    expect(server.requests).toEqual(["create"]);
    server.refuse = () => undefined;
    expect(await store.update(adding(pause("b")))).toBe(0);
    expect(pausedIn(store.record)).toEqual(["b"]);
  });
});

describe("without the permission", () => {
  it("the record lives in memory, with the reason", async () => {
    const { server, store } = fixture();
    server.refuse = () => "Forbidden";
    expect(await store.update(adding(pause("a")))).toBe(0);
    expect([pausedIn(store.record), store.unavailable]).toEqual([["a"], "Forbidden: configmaps"]);
    expect(server.object).toBeUndefined();
  });

  it("an edit that must outlive this process fails, and the other edits of its write hold", async () => {
    const { server, store } = fixture();
    server.refuse = () => "Forbidden";
    const first = store.update(adding(pause("a")));
    const must = store.update(adding(pause("b")), { mustOutlive: true });
    const last = store.update(adding(pause("c")));
    await expect(must).rejects.toMatchObject({ code: "Forbidden" });
    await Promise.all([first, last]);
    expect(pausedIn(store.record)).toEqual(["a", "c"]);
  });

  it("is noticed before the record is needed", async () => {
    const { server, store } = fixture();
    server.refuse = () => "Forbidden";
    await store.probe();
    expect(store.unavailable).toBe("Forbidden: configmaps");
  });

  it("what was counted in memory is written as soon as permission is granted", async () => {
    const { server, store } = fixture();
    server.refuse = () => "Forbidden";
    const node = { name: "w-1", uid: "u-w-1", since: 1, because: "no such machine" };
    await store.update((record) => ({
      record: { ...record, guard: { ...record.guard, held: [node] } },
      answer: undefined,
    }));
    server.refuse = () => undefined;
    await store.refresh();
    expect(store.unavailable).toBeUndefined();
    expect(keptOn(server)).toContain("u-w-1");
    expect(store.record.guard.held).toEqual([node]);
  });
});

describe("what others write", () => {
  it("is seen at the next read, and reported once", async () => {
    const { server, store, onChange } = fixture();
    const other = fixture();
    await other.store.update(adding(pause("a")));
    server.put(other.server.object?.data ?? {});
    await store.refresh();
    await store.refresh();
    expect(pausedIn(store.record)).toEqual(["a"]);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it("is ignored if unreadable, and reported once for each version", async () => {
    const { server, store, onProblem } = fixture();
    const other = fixture();
    await other.store.update(adding(pause("a")));
    const broken = Object.fromEntries(
      Object.keys(other.server.object?.data ?? {}).map((key) => [key, "{"]),
    );
    server.put(broken);
    await store.refresh();
    await store.refresh();
    expect(store.record.pauses).toEqual([]);
    expect(onProblem.mock.calls.length).toBe(Object.keys(broken).length);
    for (const [sentence] of onProblem.mock.calls)
      expect(sentence).toMatch(/cannot be read .* and is ignored; correct or remove it\.$/);
    server.put(broken);
    await store.refresh();
    expect(onProblem.mock.calls.length).toBe(2 * Object.keys(broken).length);
  });

  it("is lost when somebody removes the ConfigMap", async () => {
    const { server, store } = fixture();
    await store.update(adding(pause("a")));
    server.object = undefined;
    await store.refresh();
    expect(pausedIn(store.record)).toEqual([]);
    await store.update(adding(pause("b")));
    expect(server.requests.at(-1)).toBe("create");
  });

  it("is unknown while the API server cannot be read: the error is thrown and the record stays", async () => {
    const { server, store } = fixture();
    await store.update(adding(pause("a")));
    server.refuse = () => "Unavailable";
    await expect(store.refresh()).rejects.toMatchObject({ code: "Unavailable" });
    expect(pausedIn(store.record)).toEqual(["a"]);
  });
});

describe("a dry run", () => {
  it("keeps its edits to itself, and reads what others write", async () => {
    const { server, store } = fixture({ dryRun: true });
    await store.probe();
    expect(await store.update(adding(pause("a")))).toBe(0);
    expect([server.requests, pausedIn(store.record)]).toEqual([[], ["a"]]);
    server.put({});
    await store.refresh();
    expect(server.requests).toEqual(["get"]);
  });
});
