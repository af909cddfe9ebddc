import { describe, expect, it } from "vitest";
import { intent } from "../actions/testing/intents.ts";
import { actionTitle, countOf, listed, thing } from "./action-title.ts";

describe("the title of an action", () => {
  it("says what is done to what, and marks previews", () => {
    const hold = { action: { kind: "hold", until: 5 } } as const;
    expect(actionTitle(intent(hold))).toBe("Hold node w-9");
    expect(actionTitle(intent({ ...hold, kind: "preview" }))).toBe("Preview of: Hold node w-9");
  });

  it("names the loop of a node's retry, because several work on it", () => {
    const retry = { kind: "retry", action: { kind: "retry" } } as const;
    expect(actionTitle(intent({ ...retry, controller: "node-route-controller" }))).toBe(
      "Retry routes of node w-9",
    );
    const object = { kind: "Service", namespace: "shop", name: "web", uid: "u" } as const;
    expect(actionTitle(intent({ ...retry, object, controller: "service-lb-controller" }))).toBe(
      "Retry Service shop/web",
    );
  });

  it("does not name a single loop for a retry of all of them", () => {
    const controllers = ["cloud-node-controller", "node-route-controller"] as const;
    const all = { kind: "retry", action: { kind: "retry", controllers } } as const;
    expect(actionTitle(intent(all))).toBe("Retry node w-9");
  });
});

describe("the object of an action", () => {
  it.each([
    [{ kind: "Node", name: "w-9" }, "node w-9"],
    [{ kind: "Service", namespace: "shop", name: "web" }, "Service shop/web"],
    [{ kind: "LoadBalancer", name: "lb-1" }, "load balancer lb-1"],
    [{ kind: "PersistentVolume", name: "pv-1" }, "volume pv-1"],
    [{ kind: "Controller", name: "node-route-controller" }, "Routes"],
    [{ kind: "Controller", name: "nobody" }, "controller nobody"],
  ] as const)("%j is %s", (object, text) => {
    expect(thing(object)).toBe(text);
  });
});

it.each([
  [0, "0 nodes"],
  [1, "1 node"],
  [1_200, "1,200 nodes"],
])("%d of something are %s", (count, text) => {
  expect(countOf(count, "node")).toBe(text);
});

it.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j is listed as “%s”", (words, text) => {
  expect(listed(words)).toBe(text);
});
