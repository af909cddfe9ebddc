import { describe, expect, it } from "vitest";
import { parseLeaderMigration } from "./leader-migration.ts";

const HEAD = "apiVersion: controllermanager.config.k8s.io/v1\nkind: LeaderMigrationConfiguration\n";

describe("a leader migration configuration", () => {
  it.each(["v1", "v1beta1", "v1alpha1"])("of version %s is understood", (version) => {
    const text = `
apiVersion: controllermanager.config.k8s.io/${version}
kind: LeaderMigrationConfiguration
leaderName: moving
resourceLock: leases
controllerLeaders:
  - name: service-lb-controller
    component: "*"
`;
    expect(parseLeaderMigration(text)).toEqual({
      leaderName: "moving",
      resourceLock: "leases",
      controllerLeaders: [{ name: "service-lb-controller", component: "*" }],
    });
  });

  it.each(["", "controllerLeaders:\n", "controllerLeaders: []\n", 'resourceLock: ""\n'])(
    "needs a name and no more (%j)",
    (rest) => {
      expect(parseLeaderMigration(`${HEAD}leaderName: moving\n${rest}`)).toEqual({
        leaderName: "moving",
        resourceLock: "leases",
        controllerLeaders: [],
      });
    },
  );

  it("may be JSON, and may list controllers of other managers", () => {
    const text = JSON.stringify({
      apiVersion: "controllermanager.config.k8s.io/v1",
      kind: "LeaderMigrationConfiguration",
      leaderName: "moving",
      controllerLeaders: [{ name: "attachdetach", component: "kube-controller-manager" }],
    });
    expect(parseLeaderMigration(text).controllerLeaders).toHaveLength(1);
  });

  it.each<[string, string, RegExp]>([
    ["no name", HEAD, /^lacks the field leaderName: add it$/],
    ["an empty name", `${HEAD}leaderName: ""\n`, /leaderName that is not valid: it must not be/],
    ["a number for a name", `${HEAD}leaderName: 7\n`, /leaderName that is not valid: it must be a/],
    [
      "an unknown field",
      `${HEAD}leaderName: a\nleader: b\n`,
      /^has the unknown field leader: remove it/,
    ],
    [
      "an unknown field of a controller",
      `${HEAD}leaderName: a\ncontrollerLeaders: [{ name: a, component: "*", lease: b }]\n`,
      /^has the unknown field controllerLeaders\.0\.lease: remove it/,
    ],
    [
      "a field in capitals",
      `${HEAD}LeaderName: a\nleaderName: a\n`,
      /^has the unknown field LeaderName/,
    ],
    ["a field that is there twice", `${HEAD}leaderName: a\nleaderName: b\n`, /unique/],
    ["another lock", `${HEAD}leaderName: a\nresourceLock: endpoints\n`, /resourceLock .* leases/],
    [
      "a controller without a component",
      `${HEAD}leaderName: a\ncontrollerLeaders: [{ name: a }]\n`,
      /controllerLeaders\.0\.component/,
    ],
    [
      "a component that there is not",
      `${HEAD}leaderName: a\ncontrollerLeaders: [{ name: a, component: kubelet }]\n`,
      /controllerLeaders\.0\.component .*cloud-controller-manager/,
    ],
    ["another version", HEAD.replace("/v1", "/v2"), /apiVersion .*v1beta1/],
    ["another group", HEAD.replace("controllermanager", "kubelet"), /apiVersion/],
    ["another kind", `${HEAD.replace("Leader", "Follower")}leaderName: a\n`, /kind/],
    ["nothing", "", /^does not contain a LeaderMigrationConfiguration/],
    ["a list", "- a\n", /^does not contain a LeaderMigrationConfiguration/],
    ["broken YAML", "a: [", /^is not valid YAML/],
  ])("with %s is refused", (_, text, message) => {
    expect(() => parseLeaderMigration(text)).toThrow(message);
  });
});
