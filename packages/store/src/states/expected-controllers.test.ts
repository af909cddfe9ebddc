import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { describe, expect, it } from "vitest";
import { expectedControllers, type InstanceNow } from "./expected-controllers.ts";

const NODE = "cloud-node-controller";
const ROUTE = "node-route-controller";
const SERVICE = "service-lb-controller";
const NOTHING = { acting: undefined, dryRun: undefined };

function leader(controllers: readonly ControllerName[], over: Partial<InstanceNow> = {}) {
  return {
    leader: true,
    dryRun: false,
    leaseTransitions: 1,
    heardAt: 1_000_000,
    lease: "kube-system/main",
    controllers,
    ...over,
  };
}

describe("the controllers that are expected to report", () => {
  it.each<[string, readonly InstanceNow[], readonly ControllerName[] | undefined]>([
    ["are those of the leader", [leader([NODE, ROUTE])], [NODE, ROUTE]],
    ["are not those of a standby", [leader([NODE]), leader([ROUTE], { leader: false })], [NODE]],
    [
      "are those of the newest term alone, so that a leader with fewer expects fewer",
      [
        leader([NODE, ROUTE], { leaseTransitions: 1 }),
        leader([NODE], { leaseTransitions: 2, heardAt: 1_001_000 }),
      ],
      [NODE],
    ],
    [
      "are those of two leaders by different Leases together",
      [leader([NODE]), leader([ROUTE, SERVICE], { lease: "kube-system/migration" })],
      [NODE, SERVICE, ROUTE],
    ],
    [
      "are those of all leaders where none is elected",
      [leader([NODE], { lease: undefined }), leader([ROUTE], { lease: undefined })],
      [NODE, ROUTE],
    ],
    [
      "are not those of a leader by a Lease of its own that has been silent for long",
      [leader([NODE]), leader([ROUTE], { lease: "another", heardAt: 1_000_000 - 120_001 })],
      [NODE],
    ],
    ["are unknown while nobody leads", [leader([NODE], { leader: false })], undefined],
    ["are unknown without any process", [], undefined],
  ])("%s", (_what, instances, acting) => {
    expect(expectedControllers(instances, NOTHING)).toEqual({ acting, dryRun: undefined });
  });

  it("are those of dry runs for what dry runs say, and no others", () => {
    const dry = leader([NODE, ROUTE], { dryRun: true, lease: "shadow" });
    expect(expectedControllers([leader([SERVICE]), dry], NOTHING)).toEqual({
      acting: [SERVICE],
      dryRun: [NODE, ROUTE],
    });
  });

  it("stay unchanged between the end of one leader and the start of the next", () => {
    const known = { acting: [NODE, ROUTE] as const, dryRun: undefined };
    expect(expectedControllers([leader([], { leader: false })], known)).toEqual(known);
  });
});
