import { describe, expect, it } from "vitest";
import type { KubeObject } from "../client.ts";
import { createObjectStore, objectKey } from "./object-store.ts";

interface Thing extends KubeObject {
  readonly zone?: string;
}

function thing(name: string, version: string, more: { uid?: string; zone?: string } = {}): Thing {
  const { uid = `uid-${name}`, zone = "a" } = more;
  return { metadata: { name, uid, resourceVersion: version }, zone };
}

function createStore() {
  return createObjectStore<Thing>({ zone: (object) => [object.zone ?? ""] });
}

function summary(events: ReturnType<ReturnType<typeof createStore>["put"]>) {
  return events.map((event) => {
    const flag = event.kind === "added" ? event.initial : event.kind === "deleted" && event.final;
    return `${event.kind} ${event.object.metadata?.name}@${event.object.metadata?.resourceVersion} ${flag}`;
  });
}

describe("the object store", () => {
  it("reports what a later list changed, with deletions as inferred", () => {
    const store = createStore();
    expect(
      summary(store.replace([thing("a", "1"), thing("b", "2"), thing("c", "3")], true)),
    ).toEqual(["added a@1 true", "added b@2 true", "added c@3 true"]);
    expect(
      summary(store.replace([thing("a", "1"), thing("b", "9"), thing("d", "8")], false)),
    ).toEqual(["deleted c@3 false", "updated b@9 false", "added d@8 false"]);
    expect(store.list().map(objectKey).sort()).toEqual(["a", "b", "d"]);
  });

  it("reports an object that was recreated between two lists as deleted and added", () => {
    const store = createStore();
    store.replace([thing("a", "1")], true);
    expect(summary(store.replace([thing("a", "5", { uid: "other" })], false))).toEqual([
      "deleted a@1 false",
      "added a@5 false",
    ]);
  });

  it("gives the old object with an update, and the last state with a deletion", () => {
    const store = createStore();
    store.put(thing("a", "1"));
    expect(store.put(thing("a", "2"))).toEqual([
      { kind: "updated", object: thing("a", "2"), old: thing("a", "1") },
    ]);
    expect(store.remove(thing("a", "3"))).toEqual([
      { kind: "deleted", object: thing("a", "3"), final: true },
    ]);
    expect(store.remove(thing("a", "3"))).toEqual([]);
    expect(store.get("a")).toBeUndefined();
  });

  it("does not report the same revision twice", () => {
    const store = createStore();
    store.put(thing("a", "1"));
    expect(store.put(thing("a", "1"))).toEqual([]);
  });

  it("finds objects by an index, even after they moved or disappeared", () => {
    const store = createStore();
    store.replace([thing("a", "1"), thing("b", "2"), thing("c", "3", { zone: "z" })], true);
    expect(store.byIndex("zone", "a").map(objectKey)).toEqual(["a", "b"]);
    store.put(thing("a", "4", { zone: "z" }));
    store.remove(thing("c", "5", { zone: "z" }));
    expect(store.byIndex("zone", "a").map(objectKey)).toEqual(["b"]);
    expect(store.byIndex("zone", "z").map(objectKey)).toEqual(["a"]);
    expect(store.byIndex("zone", "none")).toEqual([]);
    expect(() => store.byIndex("colour", "a")).toThrow(/no index "colour"/);
  });

  it("keys objects by namespace and name", () => {
    expect(objectKey({ metadata: { namespace: "n", name: "a" } })).toBe("n/a");
    expect(objectKey({ metadata: { name: "a" } })).toBe("a");
  });
});
