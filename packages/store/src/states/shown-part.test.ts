import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import { UNINITIALIZED_TAINT } from "@cloudwright/core/model/taints";
import { describe, expect, it } from "vitest";
import { nodePart, objectState } from "../../testing/records.ts";
import type { Expected } from "./expected-controllers.ts";
import { mergeState } from "./object-projection.ts";
import { stateRows } from "./object-row.ts";
import { shownPart } from "./shown-part.ts";

const NODE = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";
const ROUTE = "node-route-controller";
const IPAM = "node-ipam-controller";
const ALL: Expected = [NODE, LIFECYCLE, ROUTE, IPAM];

function rowOf(object: KnownObject, expected: Expected, kind = "Node") {
  return stateRows(object, expected).find(({ row }) => row.kind === kind)?.row;
}

function objectOf(...records: readonly Partial<ObjectState>[]) {
  const [first, ...others] = records.map((over) => objectState({ at: 10, ...over }));
  if (first === undefined) throw new Error("A test needs a record.");
  return others.reduce(mergeState, mergeState(undefined, first));
}

const node = nodePart({ createdAt: 3 });
const unready = { ...node, ready: "False" } as const;
const tainted = { ...node, taints: [{ key: UNINITIALIZED_TAINT, effect: "NoSchedule" }] };

describe("the state of a node on which some controllers have not reported", () => {
  it("is Working, and names who has not observed it yet", () => {
    const object = objectOf({ controller: IPAM, state: "ok", node });
    expect(shownPart(object, ALL)).toMatchObject({
      state: "working",
      controller: NODE,
      reason: { code: "NotReportedYet", controller: NODE },
      since: 3,
    });
  });

  it("is that of the parts once all have", () => {
    const object = objectOf(
      { controller: IPAM, state: "ok", node },
      { controller: NODE, state: "ok", node },
      { controller: ROUTE, state: "ok", node },
    );
    expect(shownPart(object, ALL)).toMatchObject({ state: "ok", controller: NODE });
  });

  it("waits for the lifecycle controller only while the node is not Ready", () => {
    const parts = [
      { controller: IPAM, state: "ok" },
      { controller: NODE, state: "ok" },
    ] as const;
    const object = objectOf(...parts.map((part) => ({ ...part, node: unready })), {
      controller: ROUTE,
      state: "ok",
      node: unready,
    });
    expect(shownPart(object, ALL)?.reason).toEqual({
      code: "NotReportedYet",
      controller: LIFECYCLE,
    });
  });

  it("is what the running controllers report, ignoring those that no longer run", () => {
    const object = objectOf(
      { controller: NODE, state: "ok", node },
      { controller: ROUTE, state: "stuck", node },
    );
    expect(shownPart(object, [NODE])).toMatchObject({ state: "ok", controller: NODE });
    expect(shownPart(object, [NODE, ROUTE])).toMatchObject({ state: "stuck", controller: ROUTE });
  });

  it("is the last report when no running controller reports it", () => {
    const object = objectOf({ controller: ROUTE, state: "stuck", node });
    expect(shownPart(object, ["service-lb-controller"])?.state).toBe("stuck");
  });

  it("follows from the parts alone in a ledger that does not say what runs", () => {
    const object = objectOf({ controller: IPAM, state: "ok", node });
    expect(shownPart(object, undefined)).toMatchObject({ state: "ok", controller: IPAM });
  });

  it("counts among the routes as well, so that both count the same nodes", () => {
    const object = objectOf({ controller: NODE, state: "ok", node });
    expect(rowOf(object, ALL, "NodeRoutes")).toMatchObject({
      state: "working",
      reason_code: "NotReportedYet",
      routes_wanted: 0,
    });
    expect(rowOf(object, [NODE], "NodeRoutes")).toBeUndefined();
  });
});

describe("the state of a node with the uninitialized taint", () => {
  const parts = ([NODE, IPAM, ROUTE] as const).map((controller) => ({
    controller,
    state: "ok" as const,
    node: { ...tainted, ready: "True" as const },
  }));

  it("is never OK, whatever its controllers report", () => {
    expect(shownPart(objectOf(...parts), ALL)).toMatchObject({
      state: "working",
      reason: { code: "Uninitialised" },
    });
    expect(shownPart(objectOf(...parts), undefined)?.state).toBe("working");
  });

  it("is Waiting when none of our controllers initialises it", () => {
    expect(shownPart(objectOf(...parts), [IPAM, ROUTE])?.state).toBe("waiting");
  });

  it("is not reverted by a controller with a stale cache, though it reports last", () => {
    const object = objectOf(
      { controller: NODE, state: "ok", at: 10, node: { ...node, resourceVersion: "100" } },
      {
        controller: ROUTE,
        state: "ok",
        at: 11,
        node: {
          ...tainted,
          resourceVersion: "99",
          facts: { ...tainted.facts, asOf: 11 },
        },
      },
    );
    expect(shownPart(object, [NODE, ROUTE])?.state).toBe("ok");
  });
});

it("a route that its missing machine cannot have keeps no alarm of its own", () => {
  const held = objectOf(
    {
      controller: LIFECYCLE,
      state: "held",
      node: unready,
      reason: {
        code: "DeletionGuardHeld",
        provider: "sandbox",
        providerID: "sandbox://i-1",
        deleted: 5,
        limit: 5,
        windowMs: 600_000,
        held: 8,
      },
    },
    {
      controller: ROUTE,
      state: "stuck",
      node: unready,
      reason: {
        code: "ProviderRefused",
        provider: "sandbox",
        operation: "POST /v1/routes",
        message: "no such machine",
      },
    },
  );
  expect(shownPart(held, ALL)).toMatchObject({ state: "held", controller: LIFECYCLE });
  expect(rowOf(held, ALL)).toMatchObject({ state: "held" });
  expect(rowOf(held, ALL, "NodeRoutes")).toMatchObject({ state: "waiting" });
});
