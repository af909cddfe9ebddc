import { expect, it } from "vitest";
import { FakeInformer, node } from "../testing/node-fixture.ts";
import { createNodeView } from "./written-nodes.ts";

const OLD = node({ resourceVersion: "9" });
const WRITTEN = node({ resourceVersion: "10", labels: { by: "us" } });

it("shows our own write while the cache lags behind it", () => {
  const view = createNodeView(new FakeInformer(OLD));
  view.wrote(WRITTEN);
  expect(view.get("n1")).toBe(WRITTEN);
});

it("shows the cache again as soon as a run starts with a cached object that is not older", () => {
  const informer = new FakeInformer(OLD);
  const view = createNodeView(informer);
  view.wrote(WRITTEN);
  const later = node({ resourceVersion: "11" });
  informer.put(later);
  expect(view.get("n1")).toBe(later);
  expect(view.object("n1")).toMatchObject({ uid: "uid-n1" });
  informer.put(OLD);
  expect(view.get("n1")).toBe(OLD);
});

it("shows a node that was registered again, rather than our write to its predecessor", () => {
  const informer = new FakeInformer(OLD);
  const view = createNodeView(informer);
  view.wrote(WRITTEN);
  const anew = node({ uid: "another", resourceVersion: "5" });
  informer.put(anew);
  expect(view.get("n1")).toBe(anew);
});

it("shows no node that is gone, and still knows its identity", () => {
  const informer = new FakeInformer(OLD);
  const view = createNodeView(informer);
  view.get("n1");
  view.wrote(WRITTEN);
  informer.remove("n1");
  expect(view.get("n1")).toBeUndefined();
  expect(view.object("n1")).toEqual({ kind: "Node", name: "n1", uid: "uid-n1" });
  expect(view.object("never")).toEqual({ kind: "Node", name: "never" });
});

it("trusts the cache if versions cannot be compared", () => {
  const cached = node({ resourceVersion: "opaque-a" });
  const view = createNodeView(new FakeInformer(cached));
  view.wrote(node({ resourceVersion: "opaque-b" }));
  expect(view.get("n1")).toBe(cached);
});
