import { describe, expect, test } from "vitest";
import { type ActionRequest, problemOfAction } from "./action-checks.ts";

const NOW = Date.UTC(2026, 10, 21, 13);
const WEB = { kind: "Service", namespace: "shop", name: "web", uid: "uid-web" } as const;
const VOLUME = { kind: "PersistentVolume", name: "pv-1", uid: "uid-pv-1" } as const;
const VOLUMES = "volume-label-controller";
const ROUTES = "node-route-controller";
const STALE = { kind: "Route", name: "r-9", uid: "r-9" } as const;
const ORPHAN = { kind: "LoadBalancer", name: "lb-9" } as const;

function request(
  action: ActionRequest["action"],
  over: Partial<ActionRequest> = {},
): ActionRequest {
  return {
    kind: action.kind,
    action,
    controller: "service-lb-controller",
    object: WEB,
    planHash: "p1",
    ...over,
  };
}

const HOLD = { kind: "hold", until: NOW + 3_600_000 } as const;
const ADOPT = { kind: "adopt", balancer: "lb-7" } as const;
const REMOVE = { kind: "remove-orphan", balancer: "lb-9" } as const;
const removal = (over: Partial<ActionRequest> = {}) =>
  request(REMOVE, { object: ORPHAN, confirmation: "lb-9", ...over });

describe("an action about a load balancer", () => {
  test.each<[string, ActionRequest]>([
    ["a hold of a Service", request(HOLD)],
    ["a hold of a volume", request(HOLD, { controller: VOLUMES, object: VOLUME })],
    ["its release", request({ kind: "release" })],
    ["its retry", request({ kind: "retry" })],
    [
      "the retry of a route without a node",
      request({ kind: "retry" }, { controller: ROUTES, object: STALE }),
    ],
    [
      "a preview of that retry",
      request({ kind: "retry" }, { kind: "preview", controller: ROUTES, object: STALE }),
    ],
    ["writing all of it again", request({ kind: "reensure" })],
    ["an adoption with the id typed", request(ADOPT, { confirmation: "lb-7" })],
    ["the removal of an orphan with the id typed", removal()],
    [
      "a preview of a removal",
      removal({ kind: "preview", planHash: undefined, confirmation: undefined }),
    ],
  ])("is accepted: %s", (_name, given) => {
    expect(problemOfAction(given, NOW)).toBeUndefined();
  });

  test.each<[string, ActionRequest, RegExp]>([
    [
      "a hold by another loop",
      request(HOLD, { controller: "cloud-node-controller" }),
      /Node \(cloud-node-controller\), Service \(service-lb/,
    ],
    [
      "an override of a Service",
      request({ kind: "override", until: HOLD.until }),
      /by these controllers: Node \(/,
    ],
    [
      "an adoption for a Node",
      request(ADOPT, { object: { ...WEB, kind: "Node" } }),
      /by these controllers: Service \(/,
    ],
    [
      "one without the namespace",
      request({ kind: "reensure" }, { object: { kind: "Service", name: "web", uid: "u" } }),
      /name its namespace/,
    ],
    [
      "a retry without the namespace",
      request({ kind: "retry" }, { object: { kind: "Service", name: "web" } }),
      /name its namespace/,
    ],
    [
      "a retry of a route by another loop",
      request({ kind: "retry" }, { controller: VOLUMES, object: STALE }),
      /these kinds: PersistentVolume/,
    ],
    [
      "a retry of a volume by the loop of routes",
      request({ kind: "retry" }, { controller: ROUTES, object: VOLUME }),
      /these kinds: Node, Route/,
    ],
    [
      "one without the uid",
      request(HOLD, { object: { kind: "Service", namespace: "shop", name: "web" } }),
      /the uid of the Service/,
    ],
    [
      "writing again what was not previewed",
      request({ kind: "reensure" }, { planHash: undefined }),
      /a preview first/,
    ],
    ["an adoption with nothing typed", request(ADOPT), /typing the load balancer's ID, lb-7/],
    [
      "a removal with another id typed",
      removal({ confirmation: "lb-8" }),
      /typing the load balancer's ID, lb-9/,
    ],
    ["a removal that was not previewed", removal({ planHash: undefined }), /a preview first/],
    [
      "a removal of another load balancer than the object",
      removal({ object: { ...ORPHAN, name: "lb-8" } }),
      /as its object and in the action/,
    ],
    [
      "a removal of a Service's load balancer",
      removal({ object: { ...WEB, name: "lb-9" } }),
      /by these controllers: LoadBalancer \(service-lb/,
    ],
    [
      "a removal by another loop",
      removal({ controller: "cloud-node-controller" }),
      /by these controllers: LoadBalancer \(service-lb/,
    ],
  ])("is refused: %s", (_name, given, message) => {
    expect(problemOfAction(given, NOW)).toMatch(message);
  });
});
