import {
  CONTROLLER_NAMES,
  type ControllerName,
  controllerOf,
} from "@cloudwright/core/model/controller-names";
import { describe, expect, it } from "vitest";
import { defaults } from "./parse-flags.ts";
import {
  selectedControllers,
  selectedWebhooks,
  unknownControllers,
  unknownWebhooks,
} from "./selection.ts";

const NODE = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";
const SERVICE = "service-lb-controller";
const ROUTE = "node-route-controller";
const IPAM = "node-ipam-controller";

describe("--controllers (spec/00 §4)", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["* is all that are on by default", ["*"], [NODE, LIFECYCLE, SERVICE, ROUTE]],
    ["a removal after *", ["*", `-${ROUTE}`], [NODE, LIFECYCLE, SERVICE]],
    ["a removal before *", [`-${ROUTE}`, "*"], [NODE, LIFECYCLE, SERVICE]],
    ["an alias removed after *", ["*", "-service"], [NODE, LIFECYCLE, ROUTE]],
    ["an alias removed before *", ["-service", "*"], [NODE, LIFECYCLE, ROUTE]],
    [
      "one that is off by default, with *",
      ["*", "nodeipam"],
      [NODE, LIFECYCLE, SERVICE, ROUTE, IPAM],
    ],
    ["one alone", [NODE], [NODE]],
    ["an alias alone", ["cloud-node"], [NODE]],
    ["a removal alone runs nothing", ["-route"], []],
    ["first mention wins: on, then off", [NODE, `-${NODE}`], [NODE]],
    ["first mention wins: off, then on", [`-${NODE}`, NODE], []],
    ["first mention wins across names", ["-cloud-node", NODE, "*"], [LIFECYCLE, SERVICE, ROUTE]],
    ["an empty list runs nothing", [], []],
    ["order of the list does not matter", [ROUTE, NODE], [NODE, ROUTE]],
  ])("%s", (_, list, expected) => {
    expect(
      selectedControllers({ ...defaults(), controllers: list, "allocate-node-cidrs": false }),
    ).toEqual(expected);
  });

  it.each<[string, readonly string[], boolean]>([
    ["comes with its flag", ["*"], true],
    ["stays away when it is turned off", ["*", `-${IPAM}`], false],
    ["stays away when it is turned off by its alias", ["-nodeipam", "*"], false],
    ["stays away when others alone are named", [NODE], false],
  ])("node IPAM %s", (_, list, isOn) => {
    const selected = selectedControllers({
      ...defaults(),
      controllers: list,
      "allocate-node-cidrs": true,
    });
    expect(selected.includes(IPAM)).toBe(isOn);
  });

  it.each<[readonly string[], readonly string[]]>([
    [["*", NODE, "-route"], []],
    [["foo"], ["foo"]],
    [["-foo", "*"], ["foo"]],
    [["-*"], ["*"]],
    [["--route"], ["-route"]],
    [[""], [""]],
  ])("of %j the unknown words are %j", (list, unknown) => {
    expect(unknownControllers(list)).toEqual(unknown);
  });
});

function selected(controllers: readonly string[]): readonly ControllerName[] {
  return selectedControllers({ ...defaults(), controllers, "allocate-node-cidrs": false });
}

/** Every name under which each controller may be known. */
const SPELLINGS = CONTROLLER_NAMES.flatMap((name) =>
  [name, ...controllerOf(name).aliases].map(
    (spelling) => [spelling, name] as [string, ControllerName],
  ),
);

describe("every controller, under each of its names (H-14 to H-16)", () => {
  it.each(SPELLINGS)("%s alone runs %s alone", (spelling, name) => {
    expect(unknownControllers([spelling])).toEqual([]);
    expect(selected([spelling])).toEqual([name]);
  });

  it.each(SPELLINGS)("-%s takes %s away, wherever the star stands", (spelling, name) => {
    const others = selected(["*"]).filter((other) => other !== name);
    expect(selected(["*", `-${spelling}`])).toEqual(others);
    expect(selected([`-${spelling}`, "*"])).toEqual(others);
    expect(unknownControllers([`-${spelling}`])).toEqual([]);
  });

  it.each(SPELLINGS)("-%s alone runs nothing", (spelling) => {
    expect(selected([`-${spelling}`])).toEqual([]);
  });

  it.each(SPELLINGS)(
    "%s beside the star runs %s, whether it is on by default or not",
    (spelling) => {
      expect(selected(["*", spelling])).toEqual(
        CONTROLLER_NAMES.filter(
          (name) =>
            controllerOf(name).enabledByDefault ||
            SPELLINGS.some(([known, of]) => known === spelling && of === name),
        ),
      );
    },
  );
});

describe("--webhooks", () => {
  it.each<[readonly string[], readonly string[]]>([
    [[], []],
    [["pvlabel"], ["pvlabel"]],
    [["*"], ["pvlabel"]],
    [["*", "-pvlabel"], []],
    [["-pvlabel", "*"], []],
    [["pvlabel", "-pvlabel"], ["pvlabel"]],
  ])("%j turns on %j", (list, on) => {
    expect(selectedWebhooks(list)).toEqual(on);
  });

  it("accepts only webhooks, not the aliases of controllers", () => {
    expect(
      unknownWebhooks(["*", "pvlabel", "-other", "pvlabels", "volume-label-controller"]),
    ).toEqual(["other", "pvlabels", "volume-label-controller"]);
  });
});
