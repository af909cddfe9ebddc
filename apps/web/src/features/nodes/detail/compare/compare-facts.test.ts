import type { NodeFacts } from "@cloudwright/core/model/records/node-record";
import { describe, expect, it } from "vitest";
import { compareFacts } from "./compare-facts.ts";

const CLOUD: NodeFacts = {
  providerID: "sandbox://i-1",
  addresses: [
    { type: "InternalIP", address: "10.0.0.1" },
    { type: "InternalIP", address: "fd00::1" },
  ],
  instanceType: "m1",
  zone: "a",
  labels: { "topology.kubernetes.io/zone": "a" },
  power: "running",
  asOf: 0,
};

function ids(rows: ReturnType<typeof compareFacts>, differs: boolean): readonly string[] {
  return rows.filter((row) => row.differs === differs).map(({ id }) => id);
}

describe("cloud facts against the node", () => {
  it("agree if the node has the desired value", () => {
    const rows = compareFacts({ cloud: CLOUD, node: CLOUD, wanted: CLOUD });
    expect(ids(rows, true)).toEqual([]);
  });

  it("differ if the node lacks a value or has another one, differences first", () => {
    const node: NodeFacts = { addresses: [], zone: "b", labels: {}, asOf: 0, instanceType: "m1" };
    const rows = compareFacts({ cloud: CLOUD, node, wanted: CLOUD });
    expect(rows.slice(0, 4).map(({ id }) => id)).toEqual([
      "providerID",
      "zone",
      "address-InternalIP",
      "label-topology.kubernetes.io/zone",
    ]);
    expect(ids(rows, false)).toEqual(["instanceType", "power"]);
  });

  it("do not differ if nothing is desired, for example while the cloud is unknown", () => {
    const rows = compareFacts({ cloud: undefined, node: CLOUD, wanted: undefined });
    expect(ids(rows, true)).toEqual([]);
    expect(rows.find(({ id }) => id === "zone")).toMatchObject({ cloud: undefined, node: "a" });
  });

  it("join the addresses of one type", () => {
    const rows = compareFacts({ cloud: CLOUD, node: undefined, wanted: undefined });
    expect(rows.find(({ id }) => id === "address-InternalIP")?.cloud).toBe("10.0.0.1, fd00::1");
  });

  it("leave out node labels that no cloud fact concerns", () => {
    const node = { ...CLOUD, labels: { ...CLOUD.labels, team: "shop" } };
    const rows = compareFacts({ cloud: CLOUD, node, wanted: CLOUD });
    expect(rows.some(({ label }) => label === "team")).toBe(false);
  });
});
