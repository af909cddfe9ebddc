import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_LEADER_MIGRATION,
  type LeaderMigration,
  type MigrationComponent,
} from "./leader-migration.ts";
import { contradictions, placementOf, placeOf } from "./placement.ts";

function listing(...entries: readonly [string, MigrationComponent][]): LeaderMigration {
  const controllerLeaders = entries.map(([name, component]) => ({ name, component }));
  return { leaderName: "moving", resourceLock: "leases", controllerLeaders };
}

describe("a controller (spec/00 §10)", () => {
  it("runs under the main Lease without a migration, or if it is not listed", () => {
    expect(placeOf("service-lb-controller", undefined)).toEqual({ lease: "main" });
    expect(placeOf("service-lb-controller", listing(["route", "*"]))).toEqual({ lease: "main" });
    expect(placeOf("service-lb-controller", listing(["attachdetach", "*"]))).toEqual({
      lease: "main",
    });
  });

  it.each<MigrationComponent>(["*", "cloud-controller-manager"])(
    "that is listed for %s runs under the migration's",
    (component) => {
      const migration = listing(["service-lb-controller", component]);
      expect(placeOf("service-lb-controller", migration)).toEqual({ lease: "migration" });
    },
  );

  it("that is listed for another component does not run here", () => {
    const migration = listing(["service-lb-controller", "kube-controller-manager"]);
    expect(placeOf("service-lb-controller", migration)).toEqual({
      lease: "none",
      component: "kube-controller-manager",
    });
  });

  it.each<[string, ControllerName]>([
    ["node-route-controller", "node-route-controller"],
    ["route", "node-route-controller"],
    ["route-controller", "node-route-controller"],
    ["service-lb-controller", "service-lb-controller"],
    ["service", "service-lb-controller"],
    ["service-controller", "service-lb-controller"],
    ["cloud-node", "cloud-node-controller"],
    ["cloud-node-lifecycle", "cloud-node-lifecycle-controller"],
    ["nodeipam", "node-ipam-controller"],
    ["pvlabel", "volume-label-controller"],
  ])("is found by the name %s", (name, controller) => {
    expect(placeOf(controller, listing([name, "*"]))).toEqual({ lease: "migration" });
  });

  it("of routes, Services or the lifecycle migrates by upstream's default (OW-7)", () => {
    const places = (
      [
        "cloud-node-controller",
        "cloud-node-lifecycle-controller",
        "service-lb-controller",
        "node-route-controller",
      ] as const
    ).map((name) => placeOf(name, DEFAULT_LEADER_MIGRATION).lease);
    expect(places).toEqual(["main", "migration", "migration", "migration"]);
  });
});

describe("two entries for the same controller", () => {
  it("may agree under two of its names", () => {
    const both = listing(["route-controller", "*"], ["node-route-controller", "*"]);
    expect(contradictions(both)).toEqual([]);
  });

  it("must not assign it to two components", () => {
    const both = listing(["route-controller", "*"], ["route", "kube-controller-manager"]);
    expect(contradictions(both)).toEqual(["route"]);
  });

  it("do not matter for controllers of other managers", () => {
    const both = listing(["ttl", "*"], ["ttl", "kube-controller-manager"]);
    expect(contradictions(both)).toEqual([]);
  });
});

describe("the placement of all controllers", () => {
  const selected = [
    "cloud-node-controller",
    "cloud-node-lifecycle-controller",
    "service-lb-controller",
  ] as const;
  const migration = listing(
    ["service", "*"],
    ["cloud-node-lifecycle", "kube-controller-manager"],
    ["route", "*"],
  );

  it("contains what was selected, in the order of starting", () => {
    expect(placementOf({ selected, migration, hasSecondLease: true })).toEqual({
      main: ["cloud-node-controller"],
      migrated: ["service-lb-controller"],
      elsewhere: [
        { controller: "cloud-node-lifecycle-controller", component: "kube-controller-manager" },
      ],
      migrationLease: "moving",
    });
  });

  it("in a dry run has one Lease, and leaves other managers' controllers to them", () => {
    expect(placementOf({ selected, migration, hasSecondLease: false })).toEqual({
      main: ["cloud-node-controller", "service-lb-controller"],
      migrated: [],
      elsewhere: [
        { controller: "cloud-node-lifecycle-controller", component: "kube-controller-manager" },
      ],
      migrationLease: undefined,
    });
  });

  it("without a migration is the main Lease for all", () => {
    expect(placementOf({ selected, migration: undefined, hasSecondLease: true })).toEqual({
      main: selected,
      migrated: [],
      elsewhere: [],
      migrationLease: undefined,
    });
  });
});
