import type { ClusterProcess, FleetFlag, FleetSettings } from "@cloudwright/store/views/fleet";
import { describe, expect, it } from "vitest";
import { compareSentence, differencesOf, differingVersions } from "./compare-messages.ts";

function cluster(id: string, ...versions: readonly string[]): ClusterProcess {
  const process = { identity: `ctl-${id}`, leader: true };
  return { ...{ cluster: id, name: id, provider: "sandbox", process }, versions };
}

function flag(name: string, ...values: readonly (readonly [string, string])[]): FleetFlag {
  return {
    ...{ name, section: "Generic", initial: "1", help: "" },
    values: values.map(([value, clusters]) => ({ value, clusters: clusters.split("") })),
  };
}

const QPS = flag("qps", ["500", "ab"], ["50", "c"]);
const NAME = flag("name", ["x", "a"], ["y", "b"], ["z", "c"]);
const THREE = [cluster("a", "1.2"), cluster("b", "1.2"), cluster("c", "1.2")];

describe("the summary", () => {
  it.each<[string, FleetSettings, string]>([
    [
      "of one cluster",
      { clusters: [cluster("a", "1.2")], differing: [], same: 3 },
      "Fewer than two clusters have reported their flags.",
    ],
    [
      "where all is the same",
      { clusters: THREE, differing: [], same: 3 },
      "All 3 flags and the versions are the same in 3 clusters.",
    ],
    [
      "of flags",
      { clusters: THREE, differing: [QPS], same: 3 },
      "1 flag of 4 differs between 3 clusters; the versions are the same.",
    ],
    [
      "of versions as well",
      { clusters: [...THREE, cluster("d", "1.3")], differing: [QPS, NAME], same: 3 },
      "2 flags of 5 differ between 4 clusters, and 1 cluster runs a different version from most.",
    ],
  ])("%s", (_, settings, sentence) => {
    expect(compareSentence(settings)).toBe(sentence);
  });
});

it("finds the clusters with a different version than most, also within one", () => {
  const clusters = [...THREE, cluster("d", "1.2", "1.1"), cluster("e")];
  expect([...differingVersions(clusters)]).toEqual(["d"]);
});

it("separates values that each cluster has for itself", () => {
  const { some, own } = differencesOf({ clusters: THREE, differing: [QPS, NAME], same: 0 });
  expect(some.map(({ name }) => name)).toEqual(["qps"]);
  expect(own.map(({ name }) => name)).toEqual(["name"]);
});

it("shows every difference between two clusters", () => {
  const differing = [flag("name", ["x", "a"], ["y", "b"])];
  const { some, own } = differencesOf({ clusters: THREE.slice(0, 2), differing, same: 0 });
  expect([some, own]).toEqual([differing, []]);
});
