import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Provider } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { parseFlags } from "../../flags/parse-flags.ts";
import { idleControllers } from "./idle-controllers.ts";
import type { Placement } from "./placement.ts";

const ABLE: Provider = {
  name: "sandbox",
  hasClusterId: true,
  instances: { describe: async () => new Map() },
};

interface Given {
  readonly args?: readonly string[];
  readonly running?: readonly ControllerName[];
  readonly isLeading?: boolean;
  readonly placement?: Partial<Placement>;
  readonly holdsMigrationLease?: boolean;
}

const UNMOVED: Placement = { main: [], migrated: [], elsewhere: [], migrationLease: undefined };

function idle(given: Given) {
  const { args = [], running = [], isLeading = true } = given;
  const parsed = parseFlags(args);
  if (parsed.kind !== "run") throw new Error("these flags do not run");
  return idleControllers({
    flags: parsed.values,
    provider: ABLE,
    running,
    isLeading,
    placement: { ...UNMOVED, ...given.placement },
    holdsMigrationLease: given.holdsMigrationLease ?? false,
  });
}

function of(name: ControllerName, given: Given) {
  return idle(given).find((controller) => controller.name === name);
}

it("gives the reason for each controller that does not run", () => {
  expect(of("volume-label-controller", {})).toMatchObject({ cause: "notSelected" });
  expect(of("cloud-node-controller", { args: ["--controllers=*,-cloud-node"] })).toEqual({
    name: "cloud-node-controller",
    cause: "notSelected",
  });
  expect(of("service-lb-controller", {})).toMatchObject({
    cause: "notOffered",
    what: "load balancers",
  });
});

it("names the flag that turns routes or pod ranges off", () => {
  expect(of("node-route-controller", { args: ["--configure-cloud-routes=false"] })).toMatchObject({
    cause: "flagOff",
    what: "--configure-cloud-routes=false",
  });
  expect(of("node-route-controller", {})).toMatchObject({ cause: "notOffered", what: "routes" });
  expect(
    of("node-ipam-controller", { args: ["--controllers=*,node-ipam-controller"] }),
  ).toMatchObject({ cause: "flagOff", what: "--allocate-node-cidrs=false" });
});

it("names the manager that a leader migration assigns a controller to, and the Lease that a controller waits for", () => {
  const elsewhere = [
    { controller: "cloud-node-controller", component: "kube-controller-manager" },
  ] as const;
  expect(of("cloud-node-controller", { placement: { elsewhere } })).toMatchObject({
    cause: "elsewhere",
    what: "kube-controller-manager",
  });
  const placement: Partial<Placement> = {
    migrated: ["cloud-node-lifecycle-controller"],
    migrationLease: "moving",
  };
  const lifecycle = (given: Given) => of("cloud-node-lifecycle-controller", given);
  expect(lifecycle({ placement })).toMatchObject({ cause: "waitsForLease", what: "moving" });
  expect(lifecycle({ placement, holdsMigrationLease: true })).toMatchObject({ cause: "starting" });
});

it("leaves out controllers that run, and on a standby those that would run", () => {
  expect(of("cloud-node-controller", { running: ["cloud-node-controller"] })).toBeUndefined();
  expect(of("cloud-node-controller", {})).toMatchObject({ cause: "starting" });
  expect(of("cloud-node-controller", { isLeading: false })).toBeUndefined();
});
