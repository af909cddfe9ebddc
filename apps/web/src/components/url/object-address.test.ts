import { describe, expect, it } from "vitest";
import { fullName, objectAddress } from "./object-address.ts";

describe("the page of an object", () => {
  it.each([
    [{ kind: "Node", name: "w-9" }, "/c/c1/nodes/w-9"],
    [{ kind: "Service", namespace: "shop", name: "web" }, "/c/c1/load-balancers/shop/web"],
    [{ kind: "Service", name: "shop/web" }, "/c/c1/load-balancers/shop/web"],
    [{ kind: "LoadBalancer", name: "lb 9" }, "/c/c1/load-balancers?view=orphans&q=lb%209"],
    [{ kind: "Route", name: "r 7" }, "/c/c1/routes?show=stale&q=r%207"],
    [{ kind: "RouteTable", name: "rtb-a" }, "/c/c1/routes?table=rtb-a"],
    [{ kind: "PersistentVolume", name: "pv-1" }, "/c/c1/volumes?peek=pv-1"],
    [{ kind: "Namespace", name: "shop" }, "/c/c1/objects/Namespace/shop"],
    [{ kind: "Widget", namespace: "shop", name: "a b" }, "/c/c1/objects/Widget/shop/a%20b"],
    [{ kind: "Controller", name: "cloud-node-controller" }, undefined],
  ])("%j", (object, href) => {
    expect(objectAddress("c1", object)).toBe(href);
  });

  it("is named with its namespace", () => {
    expect(fullName({ kind: "Service", namespace: "shop", name: "web" })).toBe("shop/web");
    expect(fullName({ kind: "Node", name: "w-9" })).toBe("w-9");
  });
});
