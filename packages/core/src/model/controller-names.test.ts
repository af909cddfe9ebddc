import { describe, expect, it } from "vitest";
import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  canonicalControllerName,
  carrierFor,
  controllerOf,
  inOrder,
  isControllerName,
  isKnownController,
  speakerFor,
} from "./controller-names.ts";

const ADDED = "namespace-label-controller";

describe("a name on the command line", () => {
  it.each([
    ["cloud-node-controller", "cloud-node-controller"],
    ["cloud-node", "cloud-node-controller"],
    ["cloud-node-lifecycle", "cloud-node-lifecycle-controller"],
    ["service", "service-lb-controller"],
    ["route", "node-route-controller"],
    ["nodeipam", "node-ipam-controller"],
    ["volume", "volume-label-controller"],
    ["pvlabel", "volume-label-controller"],
    ["node", undefined],
    ["Service", undefined],
    ["service-controller", undefined],
    ["", undefined],
  ])("%s names %s", (word, meant) => {
    expect(canonicalControllerName(word)).toBe(meant);
  });

  it("names only one controller", () => {
    const words = CONTROLLER_NAMES.flatMap((name) => [name, ...CONTROLLERS[name].aliases]);
    expect(new Set(words).size).toBe(words.length);
  });
});

describe("a controller name in a record", () => {
  it.each([
    ["service-lb-controller", true],
    [ADDED, true],
    ["-controller", false],
    ["controller", false],
    ["Namespace-controller", false],
    ["namespace controller", false],
    ["a-controller; DROP", false],
    ["a-controllers", false],
  ])("%s: %s", (text, may) => {
    expect(isControllerName(text)).toBe(may);
  });

  it("counts as known only if this release has it, and never because every object inherits it", () => {
    expect(isKnownController("node-route-controller")).toBe(true);
    expect(isKnownController(ADDED)).toBe(false);
    expect(isKnownController("toString")).toBe(false);
    expect(isKnownController("constructor")).toBe(false);
  });
});

describe("a controller that this release does not know", () => {
  it("is displayed by its name in words", () => {
    expect(controllerOf(ADDED)).toMatchObject({
      label: "Namespace label",
      folder: "namespace-label",
      metricName: "namespace-label",
      queueName: "namespace-label",
      serviceAccount: ADDED,
      eventSource: ADDED,
      aliases: [],
      enabledByDefault: true,
    });
  });

  it("speaks for nothing and carries out nothing before its module declares it", () => {
    const { actions, speaksFor, rereadsAll } = controllerOf(ADDED);
    expect([actions, speaksFor, rereadsAll]).toEqual([undefined, undefined, undefined]);
  });

  it("is sorted after those of this release, which come in the order in which they start", () => {
    expect(
      inOrder([ADDED, "node-route-controller", "x-controller", "cloud-node-controller", ADDED]),
    ).toEqual(["cloud-node-controller", "node-route-controller", ADDED, "x-controller"]);
    expect(inOrder([])).toEqual([]);
  });
});

describe("the controller that speaks for a kind", () => {
  it.each([
    ["Node", "cloud-node-controller"],
    ["Service", "service-lb-controller"],
    ["LoadBalancer", "service-lb-controller"],
    ["NodeRoutes", "node-route-controller"],
    ["Route", "node-route-controller"],
    ["RouteTable", "node-route-controller"],
    ["PersistentVolume", "volume-label-controller"],
  ] as const)("of a %s is %s", (kind, name) => {
    expect(speakerFor(kind)).toBe(name);
  });

  it("is unique for each kind", () => {
    const kinds = CONTROLLER_NAMES.flatMap((name) => controllerOf(name).speaksFor ?? []);
    expect(new Set(kinds).size).toBe(kinds.length);
  });
});

describe("the controller that carries out an action", () => {
  it.each([
    ["hold", "Node", "cloud-node-controller"],
    ["override", "Node", "cloud-node-controller"],
    ["adopt", "Node", "node-route-controller"],
    ["adopt", "Service", "service-lb-controller"],
    ["remove-orphan", "LoadBalancer", "service-lb-controller"],
    ["release-guard", "Controller", "cloud-node-lifecycle-controller"],
    ["release", "PersistentVolume", "volume-label-controller"],
  ])("%s of a %s: %s", (action, kind, name) => {
    expect(carrierFor(action, kind)).toBe(name);
  });

  it("is unique for each kind of object", () => {
    const pairs = CONTROLLER_NAMES.flatMap((name) =>
      Object.entries(controllerOf(name).actions ?? {}).flatMap(([kind, actions]) =>
        actions.map((action) => `${action} of ${kind}`),
      ),
    );
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it("is an error if none declares it", () => {
    expect(() => carrierFor("override", "Service")).toThrow(
      "There is no controller for override of a Service.",
    );
  });
});

it("a controller that writes to the cluster under its own name has an identity, an Event source and a queue of its own", () => {
  const each = (member: "eventSource" | "queueName" | "metricName" | "folder" | "label") =>
    CONTROLLER_NAMES.map((name) => CONTROLLERS[name][member]);
  for (const member of ["eventSource", "queueName", "metricName", "folder", "label"] as const) {
    expect(new Set(each(member)).size, member).toBe(CONTROLLER_NAMES.length);
  }
});
