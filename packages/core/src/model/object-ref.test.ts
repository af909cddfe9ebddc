import { describe, expect, it } from "vitest";
import {
  isKnownKind,
  isOfCloudAlone,
  objectName,
  objectRefOf,
  objectRefSchema,
} from "./object-ref.ts";

describe("an object in records", () => {
  it("is named with its namespace if it has one", () => {
    expect(objectName({ kind: "Service", namespace: "shop", name: "web" })).toBe("shop/web");
    expect(objectName({ kind: "Node", name: "w-9" })).toBe("w-9");
  });

  it.each([
    ["Service", "shop/web", "u-1"],
    ["Node", "w-9", undefined],
  ])("%s is found again by that name: %s", (kind, name, uid) => {
    const ref = objectRefOf({ kind, name, uid });
    expect(objectName(ref)).toBe(name);
    expect(ref).toEqual(
      kind === "Node" ? { kind, name } : { kind, namespace: "shop", name: "web", uid: "u-1" },
    );
  });

  it.each([
    ["LoadBalancer", true],
    ["Route", true],
    ["RouteTable", true],
    ["Node", false],
    ["Service", false],
    ["PersistentVolume", false],
    ["Controller", false],
    ["Namespace", false],
  ])("%s exists only in the cloud: %s", (kind, is) => {
    expect(isOfCloudAlone({ kind })).toBe(is);
  });

  it.each([
    ["Node", true],
    ["Route", true],
    ["Controller", true],
    ["User", true],
    ["Namespace", false],
    ["node", false],
    ["", false],
  ])("%s is of a kind that this release works on or records: %s", (kind, is) => {
    expect(isKnownKind(kind)).toBe(is);
  });

  it("may be of a kind that only another release knows, but needs a name", () => {
    expect(objectRefSchema.safeParse({ kind: "Namespace", name: "shop" }).success).toBe(true);
    expect(objectRefSchema.safeParse({ kind: "Namespace" }).success).toBe(false);
    expect(objectRefSchema.safeParse({ kind: "Node", name: "w", uid: null }).success).toBe(false);
  });
});
