import { beforeEach, describe, expect, it } from "vitest";
import type { Lease } from "../client.ts";
import { KubeError, type KubeErrorCode } from "../errors.ts";
import { createManualClock, type ManualClock } from "../testing/manual-clock.ts";
import { LeaseLock } from "./lease-lock.ts";

const DURATION_MS = 15_000;

/** One Lease as the API server keeps it: a write based on an older version is refused. */
class Server {
  lease: Lease | undefined;
  readonly requests: string[] = [];
  /** Thrown instead of the next answer to this verb. */
  readonly #failures = new Map<string, unknown>();
  #version = 0;

  readonly client = {
    get: (async () => {
      this.#begin("get");
      if (this.lease === undefined) throw refusal("NotFound");
      return this.lease;
    }) as never,
    create: (async (_target: unknown, lease: Lease) => {
      this.#begin("create");
      if (this.lease !== undefined) throw refusal("AlreadyExists");
      return this.put(lease);
    }) as never,
    update: (async (_target: unknown, lease: Lease) => {
      this.#begin("update");
      const current = this.lease?.metadata?.resourceVersion;
      if (this.lease === undefined) throw refusal("NotFound");
      if (lease.metadata?.resourceVersion !== current) throw refusal("Conflict");
      return this.put(lease);
    }) as never,
  };

  put(lease: Lease): Lease {
    this.#version += 1;
    const metadata = { uid: "u-1", ...lease.metadata, resourceVersion: String(this.#version) };
    this.lease = { ...lease, metadata };
    return this.lease;
  }

  failNext(verb: string, error: unknown): void {
    this.#failures.set(verb, error);
  }

  #begin(verb: string): void {
    this.requests.push(verb);
    const failure = this.#failures.get(verb);
    this.#failures.delete(verb);
    if (failure !== undefined) throw failure;
  }
}

function refusal(code: KubeErrorCode): KubeError {
  return new KubeError(code, "refused", { verb: "update", resource: "leases" });
}

let server: Server;
let clock: ManualClock;
let holders: string[];
let slowPaths: number;

beforeEach(() => {
  server = new Server();
  clock = createManualClock();
  holders = [];
  slowPaths = 0;
});

function lock(identity: string): LeaseLock {
  return new LeaseLock({
    client: server.client,
    namespace: "kube-system",
    name: "ccm",
    identity,
    leaseDurationMs: DURATION_MS,
    clock,
    onSlowPath: () => {
      slowPaths += 1;
    },
    onHolder: (holder) => holders.push(holder),
  });
}

describe("a Lease without a holder", () => {
  it("is created, and is ours from before the write was sent", async () => {
    await clock.advance(500);
    const one = lock("one");
    const attempt = await one.tryToHold({});
    expect(attempt).toMatchObject({
      held: true,
      sentAt: { monotonic: 500, wall: clock.now() },
    });
    expect(server.lease?.spec).toMatchObject({ holderIdentity: "one", leaseDurationSeconds: 15 });
    expect([one.holder, one.uid, holders]).toEqual(["one", "u-1", ["one"]]);
  });

  it("is taken after a release, as the next term", async () => {
    const [one, two] = [lock("one"), lock("two")];
    await one.tryToHold({});
    await one.release({});
    expect(server.lease?.spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    expect(await two.tryToHold({})).toMatchObject({ held: true });
    expect(server.lease?.spec?.leaseTransitions).toBe(1);
  });

  it("goes to one of two that want it at once; the other's refusal is thrown", async () => {
    const one = lock("one");
    server.failNext("get", refusal("NotFound"));
    server.put({ spec: { holderIdentity: "two", leaseDurationSeconds: 15 } } as Lease);
    await expect(one.tryToHold({})).rejects.toMatchObject({ code: "AlreadyExists" });
    expect(server.lease?.spec?.holderIdentity).toBe("two");
  });
});

describe("a Lease of ours", () => {
  it("is renewed with one write based on what we saw, and remains one term", async () => {
    const one = lock("one");
    await one.tryToHold({});
    await clock.advance(2_000);
    const before = server.lease?.spec;
    expect(await one.tryToHold({})).toMatchObject({ held: true, sentAt: { monotonic: 2_000 } });
    expect(server.requests).toEqual(["get", "create", "update"]);
    expect(server.lease?.spec).toMatchObject({
      acquireTime: before?.acquireTime,
      leaseTransitions: before?.leaseTransitions,
    });
    expect(server.lease?.spec?.renewTime).not.toBe(before?.renewTime);
    expect(holders).toEqual(["one"]);
  });

  it("that somebody else wrote to is read again and renewed", async () => {
    const one = lock("one");
    await one.tryToHold({});
    server.put({ ...server.lease, metadata: { ...server.lease?.metadata, labels: { a: "b" } } });
    expect(await one.tryToHold({})).toMatchObject({ held: true });
    expect(slowPaths).toBe(1);
    expect(server.requests).toEqual(["get", "create", "update", "get", "update"]);
    expect(server.lease?.metadata?.labels).toEqual({ a: "b" });
  });

  it("that was taken from us is not taken back while the other holder is alive", async () => {
    const one = lock("one");
    await one.tryToHold({});
    server.put({
      ...server.lease,
      spec: { holderIdentity: "two", leaseDurationSeconds: 15, leaseTransitions: 1 },
    });
    expect(await one.tryToHold({})).toEqual({ held: false, holder: "two" });
    expect(holders).toEqual(["one", "two"]);
  });

  it("that was deleted is recreated with a higher count than any term before", async () => {
    const [one, two] = [lock("one"), lock("two")];
    await one.tryToHold({});
    await one.release({});
    await two.tryToHold({});
    server.lease = undefined;
    expect(await two.tryToHold({})).toMatchObject({ held: true });
    expect(server.lease).toMatchObject({ spec: { holderIdentity: "two", leaseTransitions: 1 } });
  });

  it("is not tried a second time once the attempt was aborted", async () => {
    const one = lock("one");
    await one.tryToHold({});
    const given = new AbortController();
    given.abort();
    server.failNext("update", refusal("Unavailable"));
    await expect(one.tryToHold({ signal: given.signal })).rejects.toMatchObject({
      code: "Unavailable",
    });
    expect([slowPaths, server.requests.at(-1)]).toEqual([0, "update"]);
  });
});

describe("another process's Lease", () => {
  function heldBy(identity: string, seconds = 15, renewTime = "t-0"): void {
    const spec = { holderIdentity: identity, leaseDurationSeconds: seconds, renewTime };
    server.put({ ...server.lease, spec } as never);
  }

  it("is left to it for its duration since we first saw it, by our own clock", async () => {
    heldBy("two");
    const one = lock("one");
    expect(await one.tryToHold({})).toEqual({ held: false, holder: "two" });
    expect(one.livingOtherMs()).toBe(DURATION_MS);
    await clock.advance(DURATION_MS - 1);
    expect(await one.tryToHold({})).toMatchObject({ held: false });
    await clock.advance(1);
    expect(await one.tryToHold({})).toMatchObject({ held: true });
    expect(server.lease?.spec?.leaseTransitions).toBe(1);
  });

  it("is left to it for as long again whenever it renews", async () => {
    heldBy("two");
    const one = lock("one");
    await one.tryToHold({});
    await clock.advance(DURATION_MS - 1);
    heldBy("two", 15, "t-1");
    await one.tryToHold({});
    expect(one.livingOtherMs()).toBe(DURATION_MS);
  });

  it("read again without a renewal does not count as newer", async () => {
    heldBy("two");
    const one = lock("one");
    await one.tryToHold({});
    await clock.advance(4_000);
    await one.tryToHold({});
    expect(one.livingOtherMs()).toBe(DURATION_MS - 4_000);
  });

  it("that was deleted is still its holder's: we do not recreate it", async () => {
    heldBy("two");
    const one = lock("one");
    await one.tryToHold({});
    server.lease = undefined;
    expect(await one.tryToHold({})).toEqual({ held: false, holder: "two" });
    expect(server.requests).not.toContain("create");
  });

  it("is not released by us", async () => {
    heldBy("two");
    await lock("one").release({});
    expect(server.lease?.spec?.holderIdentity).toBe("two");
    expect(server.requests).toEqual(["get"]);
  });

  it("without a holder, or held by us, delays nobody", async () => {
    const one = lock("one");
    expect(one.livingOtherMs()).toBe(0);
    heldBy("");
    one.observe(server.lease as Lease);
    expect(one.livingOtherMs()).toBe(0);
    await one.tryToHold({});
    expect(one.livingOtherMs()).toBe(0);
  });
});

it("an API server that does not answer makes no leader", async () => {
  server.failNext("get", refusal("Unavailable"));
  await expect(lock("one").tryToHold({})).rejects.toMatchObject({ code: "Unavailable" });
  server.failNext("get", refusal("Unavailable"));
  await expect(lock("one").release({})).rejects.toMatchObject({ code: "Unavailable" });
  expect(holders).toEqual([]);
});
