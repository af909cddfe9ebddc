import { describe, expect, it } from "vitest";
import {
  actionOfChoice,
  guardRelease,
  type NodeTarget,
  nodeAction,
  routeAdoption,
  routeRetry,
  serviceAction,
  staleRouteRetry,
  volumeRetry,
} from "../action-choice.ts";
import { buttonText, dialogTitle } from "../action-kinds.ts";
import { shownPlan } from "../testing/intents.ts";
import { whyNot } from "../use-leave.ts";
import {
  confirmationRequest,
  fieldProblems,
  obstacleOf,
  typedFor,
} from "./confirmation-request.ts";

const TARGET: NodeTarget = {
  cluster: "c-1",
  controller: "cloud-node-lifecycle-controller",
  name: "w-9",
  uid: "u-9",
};
const HELD = [{ name: "w-1", uid: "u-1", since: 1, because: "it does not exist" }];

function requested(choice = nodeAction(TARGET, "hold"), typed = "") {
  return {
    choice,
    action: actionOfChoice(choice, 5),
    why: " disk check ",
    typed,
    plan: shownPlan(),
  };
}

describe("the request of a confirmation", () => {
  it("is bound to the plan that was shown", () => {
    expect(confirmationRequest(requested())).toEqual({
      cluster: "c-1",
      kind: "hold",
      action: { kind: "hold", until: 5 },
      controller: "cloud-node-controller",
      object: { kind: "Node", name: "w-9", uid: "u-9" },
      why: "disk check",
      planHash: "h-1",
    });
  });

  it("for one retry covers every loop of the object that is not OK, and is bound to no plan", () => {
    const request = confirmationRequest(requested(nodeAction(TARGET, "retry")));
    expect(request).not.toHaveProperty("planHash");
    expect(request).toMatchObject({ scope: "object", action: { kind: "retry" } });
  });

  it("for one retry covers the loops that were previewed", () => {
    const action = { kind: "retry", controllers: ["node-route-controller"] } as const;
    const request = confirmationRequest({
      ...requested(nodeAction(TARGET, "retry")),
      action,
    });
    expect(request.action).toEqual(action);
    expect(request).not.toHaveProperty("scope");
  });

  it("for an adoption names the load balancer or the route, whose id is typed", () => {
    const route = routeAdoption(TARGET, "r-9");
    expect(confirmationRequest(requested(route, " r-9 "))).toMatchObject({
      action: { kind: "adopt", route: "r-9" },
      controller: "node-route-controller",
      confirmation: "r-9",
      planHash: "h-1",
    });
    expect(fieldProblems(requested(route, "lb-1"))).toEqual({ typed: "Type exactly r-9." });
    expect([dialogTitle(route), buttonText(route), typedFor(route)?.what]).toEqual([
      "Adopt route r-9 for node w-9",
      "Adopt route",
      "the route's ID",
    ]);
    const service = { cluster: "c-1", service: "shop/web", uid: "u-1" };
    const loadBalancer = serviceAction(service, "adopt", "lb-1");
    expect(confirmationRequest(requested(loadBalancer, "lb-1")).action).toEqual({
      kind: "adopt",
      balancer: "lb-1",
    });
    expect([
      dialogTitle(loadBalancer),
      buttonText(loadBalancer),
      typedFor(loadBalancer)?.what,
    ]).toEqual([
      "Adopt load balancer lb-1 for Service shop/web",
      "Adopt load balancer",
      "the load balancer's ID",
    ]);
  });

  it("for a retry of a node's routes covers only their loop", () => {
    const request = confirmationRequest(requested(routeRetry(TARGET)));
    expect(request).toMatchObject({
      controller: "node-route-controller",
      action: { kind: "retry" },
    });
    expect(request).not.toHaveProperty("scope");
  });

  it("includes the typed text where it is required", () => {
    expect(confirmationRequest(requested(nodeAction(TARGET, "override"), "w-9 "))).toMatchObject({
      confirmation: "w-9",
    });
    const release = confirmationRequest(requested(guardRelease("c-1", HELD), "1"));
    expect(release.action).toEqual({ kind: "release-guard", nodes: [{ name: "w-1", uid: "u-1" }] });
    expect(release).toMatchObject({ confirmation: "1" });
  });
});

describe("the fields", () => {
  it("require a reason", () => {
    expect(fieldProblems({ ...requested(), why: "  " })).toHaveProperty("why");
    expect(fieldProblems(requested())).toEqual({});
  });

  it.each([
    ["w-9", {}],
    ["w-8", { typed: "Type exactly w-9." }],
    ["", { typed: "Type exactly w-9." }],
  ])("of an override with %j typed", (typed, problems) => {
    expect(fieldProblems(requested(nodeAction(TARGET, "override"), typed))).toEqual(problems);
  });
});

describe("the obstacle of the button", () => {
  const refused = { kind: "refused", sentence: "It is held.", plan: undefined } as const;
  const failed = { kind: "failed", sentence: "No answer." } as const;
  const answered = { kind: "answered", plan: shownPlan() } as const;
  it.each([
    ["hold", { kind: "asking" }, "The plan is not known yet."],
    ["hold", failed, "Without a plan it cannot be confirmed."],
    ["hold", refused, "The leader would refuse it."],
    ["hold", answered, undefined],
    ["resume", { kind: "asking" }, undefined],
    ["release", failed, undefined],
    ["release", refused, "The leader would refuse it."],
    ["retry", refused, undefined],
  ] as const)("of %s when its preview is %j", (kind, preview, obstacle) => {
    expect(obstacleOf(kind, preview)).toBe(obstacle);
  });
});

it("heading and button name the action and its object", () => {
  const hold = nodeAction(TARGET, "hold");
  expect([dialogTitle(hold), buttonText(hold)]).toEqual(["Hold node w-9", "Hold node"]);
  const longer = { ...hold, isExtension: true };
  expect([dialogTitle(longer), buttonText(longer)]).toEqual([
    "Extend the hold of node w-9",
    "Extend hold",
  ]);
  const stale = staleRouteRetry("c-1", "r-7");
  expect([dialogTitle(stale), buttonText(stale)]).toEqual(["Retry route r-7", "Retry route"]);
  const node = nodeAction(TARGET, "retry");
  expect([dialogTitle(node), buttonText(node)]).toEqual(["Retry node w-9", "Retry node"]);
  expect(dialogTitle(routeRetry(TARGET))).toBe("Retry routes of node w-9");
  const volume = volumeRetry({ cluster: "c-1", name: "pv-1", uid: "u-1" });
  expect([dialogTitle(volume), buttonText(volume)]).toEqual(["Retry volume pv-1", "Retry volume"]);
  const web = serviceAction({ cluster: "c-1", service: "shop/web", uid: "u-2" }, "retry");
  expect(buttonText(web)).toBe("Retry Service");
  const guard = guardRelease("c-1", HELD);
  expect([dialogTitle(guard), buttonText(guard)]).toEqual([
    "Release 1 held deletion",
    "Release 1 deletion",
  ]);
});

it("users without permission learn which role they need and who can grant it", () => {
  expect(whyNot({ needed: "admin", role: "operator", admins: ["bo", "li"] })).toBe(
    "Needs role admin. You are operator. Admins: bo, li.",
  );
  expect(whyNot({ needed: "operator", role: "viewer", admins: [] })).toBe(
    "Needs role operator. You are viewer.",
  );
});
