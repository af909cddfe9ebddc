import {
  type CallContext,
  type CallRef,
  type CloudRoute,
  ProviderError,
  type ProviderErrorCode,
  type RouteSpec,
} from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { Step } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "../calls/budget.ts";
import { createCallContexts } from "../calls/call-context.ts";
import type { RouteListOptions } from "../ports.ts";
import { rememberedPriorities } from "../testing/remembered-priorities.ts";
import { createRouteDirectory } from "./route-directory.ts";

const ASK: RouteListOptions = { maxAgeMs: 0, priority: "new" };
const OLDER: RouteListOptions = { maxAgeMs: 10_000, priority: "refresh" };
const LATENCY_MS = 100;

function requestFor(node: string): RouteSpec {
  return {
    owner: { clusterUid: "c-1", objectUid: `uid-${node}` },
    destination: `10.120.${node.slice(1)}.0/24`,
    target: { nodeName: node, providerID: undefined },
    targetAddresses: [],
  };
}

function routeOf({ owner: mark, destination, target: { nodeName } }: RouteSpec): CloudRoute {
  return {
    id: `r-${nodeName}`,
    table: "t-1",
    name: mark.objectUid,
    destination,
    target: { providerID: undefined, nodeName },
    comparesAddresses: false,
    targetAddresses: [],
    blackhole: false,
    owner: mark,
  };
}

type Refusal = { readonly code: ProviderErrorCode } & Partial<CallRef>;

/** A slow cloud; a read shows the state at its start. */
class SlowCloud {
  readonly clock = createManualClock();
  readonly asked: { readonly what: string; readonly priority: string | undefined }[] = [];
  readonly kept = new Map<string, CloudRoute>();
  readonly refusals: Refusal[] = [];
  leads = true;
  readonly #remembered = rememberedPriorities(
    createCallContexts({
      provider: "sandbox",
      clock: this.clock,
      budget: createCloudBudget({ provider: "sandbox", clock: this.clock }),
      fence: () => this.leads,
    }),
  );
  readonly #directory = createRouteDirectory({
    routes: {
      abilities: { families: ["IPv4"], storesOwner: true },
      list: (context) =>
        this.#call(context, "list", () => ({
          routes: [...this.kept.values()],
          tables: [{ id: "t-1", name: "main", used: this.kept.size, capacity: 1_000 }],
        })),
      create: (request, context) =>
        this.#call(context, `create ${request.target.nodeName}`, () => this.put(request)),
      remove: ({ id }, context) =>
        this.#call(context, `remove ${id}`, () => {
          this.kept.delete(id);
        }),
    },
    contexts: this.#remembered.contexts,
    clock: this.clock,
  });

  get listings(): number {
    return this.asked.filter(({ what }) => what === "list").length;
  }

  put(request: RouteSpec): CloudRoute {
    const made = routeOf(request);
    this.kept.set(made.id, made);
    return made;
  }

  run() {
    const steps: Omit<Step, "phase">[] = [];
    const ends = new AbortController();
    const step = (made: Omit<Step, "phase">) => steps.push(made);
    const run = { startedAt: this.clock.now(), signal: ends.signal, step };
    return { steps, ends, ...this.#directory.for(run) };
  }

  async done<Value>(work: Promise<Value>): Promise<Value> {
    const settled = work.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    await this.clock.advance(LATENCY_MS);
    return (await settled)();
  }

  async idsOf(options: RouteListOptions): Promise<readonly string[]> {
    const { routes } = await this.done(this.run().list(options));
    return routes.map(({ id }) => id);
  }

  #call<Value>(context: CallContext, operation: string, work: () => Value): Promise<Value> {
    this.asked.push({ what: operation, priority: this.#remembered.priorityOf(context) });
    return context.call({ operation, target: "t", mutates: operation !== "list" }, async () => {
      const refusal = this.refusals.shift();
      const isDone = refusal === undefined || refusal.mayBeDone === true;
      const answer = isDone ? { value: work(), status: 200 } : undefined;
      await new Promise<void>((resolve) => this.clock.after(LATENCY_MS, resolve));
      if (refusal !== undefined || answer === undefined) throw refusedAs(refusal);
      return answer;
    });
  }
}

function refusedAs({ code, ...call }: Refusal = { code: "Unavailable" }): ProviderError {
  return new ProviderError(code, "no", { provider: "sandbox", operation: "x", ...call });
}

describe("the listing of the route tables", () => {
  it("is one for all simultaneous callers, and each of their runs shows it", async () => {
    const cloud = new SlowCloud();
    cloud.put(requestFor("n1"));
    const runs = Array.from({ length: 50 }, () => cloud.run());
    const [first] = await cloud.done(Promise.all(runs.map(({ list }) => list(ASK))));
    expect(first).toMatchObject({ routes: [{ id: "r-n1" }], tables: [{ used: 1 }] });
    expect(cloud.listings).toBe(1);
    for (const { steps } of runs) {
      expect(steps).toMatchObject([{ operation: "list", sharedBy: 50, status: 200 }]);
    }
  });

  it("is sent with the priority of the most urgent caller", async () => {
    const cloud = new SlowCloud();
    const both = [cloud.run().list(OLDER), cloud.run().list({ ...ASK, priority: "person" })];
    await cloud.done(Promise.all(both));
    expect(cloud.asked).toEqual([{ what: "list", priority: "person" }]);
  });

  it("is reused as long as the caller allows, and no longer", async () => {
    const cloud = new SlowCloud();
    await cloud.idsOf(ASK);
    await cloud.clock.advance(5_000);
    await cloud.idsOf(OLDER);
    expect(cloud.listings).toBe(1);
    await cloud.idsOf({ ...OLDER, maxAgeMs: 5_000 });
    expect(cloud.listings).toBe(2);
    await cloud.idsOf(ASK);
    expect(cloud.listings).toBe(3);
  });

  it("never overlaps another: a caller that needs a newer one waits for both", async () => {
    const cloud = new SlowCloud();
    const early = cloud.run().list(ASK);
    await cloud.clock.advance(LATENCY_MS / 2);
    const joining = cloud.run().list(OLDER);
    const strict = cloud.run().list(ASK);
    await cloud.clock.advance(LATENCY_MS / 2 - 1);
    expect(cloud.listings).toBe(1);
    await cloud.clock.advance(1);
    await Promise.all([early, joining]);
    await cloud.done(strict);
    expect(cloud.listings).toBe(2);
  });

  it("that failed rejects its callers, and is never reused", async () => {
    const cloud = new SlowCloud();
    cloud.put(requestFor("n1"));
    cloud.refusals.push({ code: "Unavailable", status: 503 });
    await expect(cloud.idsOf(OLDER)).rejects.toMatchObject({ code: "Unavailable" });
    expect(await cloud.idsOf(OLDER)).toEqual(["r-n1"]);
  });

  it("that failed is no answer to callers that came while it was in progress", async () => {
    const cloud = new SlowCloud();
    cloud.refusals.push({ code: "Unavailable", status: 503 });
    const early = cloud.run().list(OLDER);
    await cloud.clock.advance(LATENCY_MS / 2);
    const late = cloud.run().list(OLDER);
    await expect(cloud.done(early)).rejects.toMatchObject({ code: "Unavailable" });
    expect(await cloud.done(late)).toMatchObject({ routes: [] });
  });

  it("ends with the run's signal, and goes on for the others", async () => {
    const cloud = new SlowCloud();
    const leaving = cloud.run();
    const left = leaving.list(ASK).catch((error: unknown) => error);
    const stayed = cloud.run().list(ASK);
    await cloud.clock.advance(10);
    leaving.ends.abort(new Error("the run was ended"));
    expect(await left).toMatchObject({ message: "the run was ended" });
    expect(leaving.steps).toMatchObject([{ operation: "list routes", error: /ended/ }]);
    expect(await cloud.done(stayed)).toMatchObject({ routes: [] });
  });
});

describe("a listing for which nobody waits any more", () => {
  it("is no answer to the next caller", async () => {
    const cloud = new SlowCloud();
    cloud.put(requestFor("n1"));
    const leaving = cloud.run();
    const left = leaving.list(OLDER).catch((error: unknown) => error);
    await cloud.clock.advance(LATENCY_MS / 2);
    leaving.ends.abort(new Error("the run was ended"));
    const next = cloud.run().list(OLDER);
    expect(await left).toMatchObject({ message: "the run was ended" });
    await cloud.clock.advance(1);
    expect(await cloud.done(next)).toMatchObject({ routes: [{ id: "r-n1" }] });
  });
});

describe("a change of a route", () => {
  it("is known from the cloud's answer, without a read", async () => {
    const cloud = new SlowCloud();
    cloud.put(requestFor("n1"));
    await cloud.idsOf(ASK);
    const changing = cloud.run();
    await cloud.done(changing.create(requestFor("n2"), "person"));
    expect(changing.steps).toMatchObject([{ operation: "create n2", sharedBy: 1, status: 200 }]);
    expect(await cloud.idsOf(OLDER)).toEqual(["r-n1", "r-n2"]);
    await cloud.done(cloud.run().remove(routeOf(requestFor("n1")), "deletion"));
    expect(await cloud.done(cloud.run().list(OLDER))).toMatchObject({
      routes: [{ id: "r-n2" }],
      tables: [{ used: 1 }],
    });
    expect(cloud.listings).toBe(1);
    expect(cloud.asked.map(({ priority }) => priority)).toEqual(["new", "person", "deletion"]);
  });

  it("is neither hidden nor undone by a listing that started before it ended", async () => {
    const cloud = new SlowCloud();
    cloud.put(requestFor("n1"));
    await cloud.idsOf(ASK);
    const listing = cloud.run().list(ASK);
    await cloud.clock.advance(1);
    const changes = [
      cloud.run().create(requestFor("n2"), "new"),
      cloud.run().remove(routeOf(requestFor("n1")), "new"),
    ];
    await cloud.done(Promise.all([listing, ...changes]));
    expect(cloud.listings).toBe(2);
    expect(await cloud.idsOf(OLDER)).toEqual(["r-n2"]);
    expect(cloud.listings).toBe(2);
  });

  it.each<[string, Refusal, number]>([
    ["a lost answer", { code: "Unavailable", mayBeDone: true }, 2],
    ["an answer that did not come in time", { code: "TimedOut", mayBeDone: true }, 2],
    ["an outage", { code: "Unavailable", status: 503 }, 2],
    ["a destination that is taken", { code: "Conflict", status: 409 }, 2],
    ["a machine that is gone", { code: "NotFound", status: 404 }, 2],
    ["a full table", { code: "QuotaExceeded", status: 409 }, 1],
    ["too many calls", { code: "Throttled", status: 429, retryAfterMs: 0 }, 1],
    ["a missing right", { code: "Unauthorized", status: 403 }, 1],
    ["a field that is wrong", { code: "Invalid", status: 400 }, 1],
  ])("that ends with %s decides whether the tables must be listed again", async (...row) => {
    const [_case, refusal, listings] = row;
    const cloud = new SlowCloud();
    await cloud.idsOf(ASK);
    cloud.refusals.push(refusal);
    const failing = cloud.done(cloud.run().create(requestFor("n1"), "new"));
    await expect(failing).rejects.toMatchObject({ code: refusal.code });
    await cloud.clock.advance(1_000);
    expect(await cloud.idsOf(OLDER)).toEqual(refusal.mayBeDone ? ["r-n1"] : []);
    expect(cloud.listings).toBe(listings);
  });

  it("that was not sent because the lease is lost leaves what is known unchanged", async () => {
    const cloud = new SlowCloud();
    await cloud.idsOf(ASK);
    cloud.leads = false;
    await expect(cloud.run().create(requestFor("n1"), "new")).rejects.toThrow(
      "no longer holds the Lease",
    );
    await cloud.idsOf(OLDER);
    expect(cloud.listings).toBe(1);
  });

  it("with an unknown result makes nobody wait only for an older listing", async () => {
    const cloud = new SlowCloud();
    cloud.refusals.push({ code: "Unavailable", mayBeDone: true });
    const failing = cloud.run().create(requestFor("n1"), "new");
    failing.catch(() => undefined);
    await cloud.clock.advance(LATENCY_MS / 2);
    const early = cloud.run().list(OLDER);
    await cloud.clock.advance(LATENCY_MS / 2);
    await expect(failing).rejects.toMatchObject({ code: "Unavailable" });
    const late = cloud.run().list(OLDER);
    await cloud.clock.advance(LATENCY_MS / 2);
    await early;
    expect(await cloud.done(late)).toMatchObject({ routes: [{ id: "r-n1" }] });
    expect(cloud.listings).toBe(2);
  });

  it("is not sent for a run that has ended", async () => {
    const cloud = new SlowCloud();
    const ended = cloud.run();
    ended.ends.abort(new Error("the run was ended"));
    await expect(ended.create(requestFor("n1"), "new")).rejects.toThrow("the run was ended");
    expect(cloud.asked).toEqual([]);
  });
});
