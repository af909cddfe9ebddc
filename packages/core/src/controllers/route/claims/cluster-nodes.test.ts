import { expect, it } from "vitest";
import { FakeInformer, node } from "../../testing/node-fixture.ts";
import { ClusterNodes } from "./cluster-nodes.ts";

const MACHINE = { providerID: "p://n1", nodeName: undefined };

function nodes(...shapes: Parameters<typeof node>[0][]) {
  const informer = new FakeInformer(...shapes.map((shape) => node(shape)));
  return { informer, known: new ClusterNodes(informer) };
}

it("remembers a deleted node by its UID, its name and its machine", () => {
  const { informer, known } = nodes({ name: "n1", providerID: "p://n1" });
  informer.remove("n1");
  const went = { name: "n1", uid: "uid-n1", providerID: "p://n1", ranges: [] };
  expect(known.gone("uid-n1", { providerID: undefined, nodeName: undefined })).toEqual(went);
  expect(known.gone(undefined, MACHINE)).toEqual(went);
  expect(known.gone(undefined, { providerID: undefined, nodeName: "n1" })).toEqual(went);
});

it("does not mistake a changed node for a deleted one", () => {
  const { informer, known } = nodes({ name: "n1" });
  informer.put(node({ name: "n1", providerID: "p://n1", podCIDRs: ["10.0.1.0/24"] }));
  expect(known.gone("uid-n1", MACHINE)).toBeUndefined();
  expect(known.gone(undefined, { providerID: "p://other", nodeName: "n1" })).toBeUndefined();
  expect(known.withMachine(MACHINE)).toBe("n1");
});

it("knows only by the old UID that a node was deleted whose machine has registered again", () => {
  const { informer, known } = nodes({ name: "n1", uid: "u-1", providerID: "p://n1" });
  informer.put(node({ name: "n1", uid: "u-2", providerID: "p://n1" }));
  expect(known.gone("u-1", MACHINE)).toMatchObject({ uid: "u-1" });
  expect(known.gone(undefined, MACHINE)).toBeUndefined();
  informer.remove("n1");
  informer.put(node({ name: "n1", uid: "u-3", providerID: "p://n1" }));
  expect(known.gone(undefined, MACHINE)).toBeUndefined();
});
