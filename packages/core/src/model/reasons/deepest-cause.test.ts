import { describe, expect, it } from "vitest";
import type { ControllerName } from "../controller-names.ts";
import type { Reason } from "../reason.ts";
import type { State } from "../state.ts";
import { causeOfPart, type Part, shownOf } from "./deepest-cause.ts";

const NODE = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";
const ROUTE = "node-route-controller";
const IPAM = "node-ipam-controller";

const REFUSED: Reason = {
  code: "ProviderRefused",
  provider: "sandbox",
  operation: "POST /v1/routes",
  message: "no such machine",
};
const GUARD: Reason = {
  code: "DeletionGuardHeld",
  provider: "sandbox",
  providerID: "sandbox://i-1",
  deleted: 5,
  limit: 5,
  windowMs: 600_000,
  held: 8,
};
const ABSENT: Reason = {
  code: "InstanceAbsentOnce",
  provider: "sandbox",
  providerID: "sandbox://i-1",
};
const STOPPED: Reason = { code: "InstanceStopped", provider: "sandbox", state: "stopped" };
const UNAVAILABLE: Reason = {
  code: "ProviderUnavailable",
  provider: "sandbox",
  operation: "POST /v1/routes",
  message: "down",
};
const LABEL: Reason = { code: "LabelInvalid", key: "a", value: "b c", problem: "a blank" };
const OVERLAP: Reason = { code: "PodCIDROverlap", cidr: "a", other: "w-2", otherCIDR: "b" };
const HELD: Reason = { code: "HeldByAnnotation", by: "ana" };
const FOREIGN: Reason = { code: "ForeignNode", providerID: "other://1", provider: "sandbox" };
const WELL: Reason = { code: "InStep" };

function part(controller: ControllerName, state: State, reason: Reason): Part {
  return { controller, state, reason, since: 5 };
}

describe("what is shown of an object", () => {
  it.each<[string, readonly Part[], Part]>([
    [
      "is the hold of the deletion guard, not the route that its missing machine cannot have",
      [
        part(NODE, "ok", WELL),
        part(LIFECYCLE, "held", GUARD),
        { ...part(ROUTE, "stuck", REFUSED), since: 1 },
      ],
      part(LIFECYCLE, "held", GUARD),
    ],
    [
      "is what a person holds, whatever else is wrong with it",
      [part(NODE, "held", HELD), part(IPAM, "stuck", OVERLAP)],
      part(NODE, "held", HELD),
    ],
    [
      "is the missing machine before what follows from it",
      [part(LIFECYCLE, "waiting", ABSENT), part(ROUTE, "stuck", REFUSED)],
      part(LIFECYCLE, "waiting", ABSENT),
    ],
    [
      "is that it is another cloud's, where nothing is wrong with it",
      [
        part(LIFECYCLE, "ok", { code: "NodeReady" }),
        part(NODE, "ok", FOREIGN),
        part(IPAM, "ok", WELL),
      ],
      part(NODE, "ok", FOREIGN),
    ],
    [
      "is the deeper of two equally bad causes, however long the other stands",
      [
        { ...part(ROUTE, "stuck", UNAVAILABLE), since: 1 },
        { ...part(NODE, "stuck", LABEL), since: 9 },
      ],
      { ...part(NODE, "stuck", LABEL), since: 9 },
    ],
    [
      "is the mistake that a user must fix although the machine only stands still",
      [part(LIFECYCLE, "waiting", STOPPED), part(IPAM, "stuck", OVERLAP)],
      part(IPAM, "stuck", OVERLAP),
    ],
    [
      "is the machine that stands still before a route that cannot be created meanwhile",
      [part(LIFECYCLE, "waiting", STOPPED), part(ROUTE, "stuck", UNAVAILABLE)],
      part(LIFECYCLE, "waiting", STOPPED),
    ],
    [
      "is what a controller has found before what another has not looked at yet",
      [
        { ...part(NODE, "working", { code: "NotReportedYet", controller: NODE }), since: 1 },
        { ...part(ROUTE, "working", REFUSED), since: 9 },
      ],
      { ...part(ROUTE, "working", REFUSED), since: 9 },
    ],
    [
      "is the one who saw it go",
      [part(NODE, "held", HELD), part(LIFECYCLE, "gone", { code: "ObjectGone" })],
      part(LIFECYCLE, "gone", { code: "ObjectGone" }),
    ],
  ])("%s", (_what, parts, shown) => {
    expect(shownOf(parts)).toEqual(shown);
    expect(shownOf(parts.toReversed())).toEqual(shown);
  });

  it("is nothing without a report", () => {
    expect(shownOf([])).toBeUndefined();
  });
});

describe("what follows from another part", () => {
  const guard = part(LIFECYCLE, "held", GUARD);

  it("names that part as its cause", () => {
    expect(causeOfPart(part(ROUTE, "stuck", REFUSED), [guard])).toBe(guard);
    expect(causeOfPart(part(NODE, "stuck", LABEL), [guard])).toBe(guard);
  });

  it.each<[string, Part, Part]>([
    ["what is well", part(ROUTE, "ok", WELL), guard],
    [
      "what fails beside a machine that runs",
      part(ROUTE, "stuck", UNAVAILABLE),
      part(LIFECYCLE, "waiting", { code: "NodeUnreadyInstanceRuns", provider: "sandbox" }),
    ],
    ["the cause itself", guard, guard],
    ["what lies as deep", part(LIFECYCLE, "stuck", ABSENT), guard],
  ])("is not %s", (_what, one, other) => {
    expect(causeOfPart(one, [one, other])).toBeUndefined();
  });
});
