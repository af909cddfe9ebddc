import { describe, expect, it } from "vitest";
import { CLOUD_LABELS_ANNOTATION } from "../objects/node-object.ts";
import { facts, node } from "../testing/node-fixture.ts";
import { LABEL_PAIRS, labelsToKeep, ownedLabels, wantedLabels } from "./labels.ts";

const [BETA, SUCCESSOR] = LABEL_PAIRS.zone;

describe("a label pair of an initialised node", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ["is ours while both are there", { [BETA]: "z1", [SUCCESSOR]: "mine" }, [BETA, SUCCESSOR]],
    ["is ours when both are gone", {}, [BETA, SUCCESSOR]],
    ["is ours when the successor alone is gone", { [BETA]: "z1" }, [BETA, SUCCESSOR]],
    ["is a user's when the beta label alone is gone", { [SUCCESSOR]: "z1" }, []],
    ["is a user's with another value, too", { [SUCCESSOR]: "mine" }, []],
  ])("%s", (_, labels, kept) => {
    const one = node({ labels });
    const keys = Object.keys(labelsToKeep(one, wantedLabels(one, facts())));
    expect(keys.filter((key) => key === BETA || key === SUCCESSOR)).toEqual(kept);
  });
});

describe("the owned labels of a node", () => {
  const owned = (text: string) =>
    ownedLabels(node({ annotations: { [CLOUD_LABELS_ANNOTATION]: text } }));

  it("are those in its annotation", () => {
    expect(owned(`${BETA},my.io/a,plain`)).toEqual([BETA, "my.io/a", "plain"]);
    expect(owned("")).toEqual([]);
    expect(ownedLabels(node())).toBeUndefined();
  });

  it("do not include Kubernetes' own labels that we never set, whatever the kubelet wrote into the annotation", () => {
    const protectedLabels = [
      "node-role.kubernetes.io/control-plane",
      "node-restriction.kubernetes.io/team",
      "kubernetes.io/hostname",
      "foo.k8s.io/y",
    ];
    expect(owned([...protectedLabels, "my.io/a"].join(","))).toEqual(["my.io/a"]);
  });
});
