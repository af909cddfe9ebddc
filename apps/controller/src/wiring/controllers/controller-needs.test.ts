import { CONTROLLER_NAMES } from "@cloudwright/core/model/controller-names";
import { expect, it } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { flagAgainst, lackOf } from "./controller-needs.ts";

it("names what a provider with only instances lacks for each controller", () => {
  const provider = { instances: { describe: async () => new Map() } };
  expect(CONTROLLER_NAMES.map((name) => [name, lackOf(provider, name)])).toEqual([
    ["cloud-node-controller", undefined],
    ["cloud-node-lifecycle-controller", undefined],
    ["service-lb-controller", "load balancers"],
    ["node-route-controller", "routes"],
    ["node-ipam-controller", undefined],
    ["volume-label-controller", "volumes"],
  ]);
});

it("names the flag that turns a controller off, and none otherwise", () => {
  const off = { ...defaults(), "configure-cloud-routes": false, "allocate-node-cidrs": false };
  const against = CONTROLLER_NAMES.flatMap((name) => flagAgainst(off, name) ?? []);
  expect(against.sort()).toEqual(["--allocate-node-cidrs", "--configure-cloud-routes"]);
  const on = { ...off, "configure-cloud-routes": true, "allocate-node-cidrs": true };
  expect(CONTROLLER_NAMES.flatMap((name) => flagAgainst(on, name) ?? [])).toEqual([]);
});
