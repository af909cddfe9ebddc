import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { describe, expect, it } from "vitest";
import { controllerState } from "../../platform/wording/health-messages.ts";
import {
  bytesText,
  controllersSentence,
  idleText,
  processState,
  queueText,
} from "./controllers-messages.ts";

const NOW = Date.UTC(2026, 10, 22, 14);

function instance(over: Partial<ControllerInstanceView> = {}): ControllerInstanceView {
  return {
    identity: "ctl-1",
    version: "0.1.0",
    leader: true,
    leaseTransitions: 4,
    heardAt: NOW - 2_000,
    watchSilentMs: 100,
    spoolBytes: 0,
    dryRun: false,
    controllers: [controller(), controller({ name: "cloud-node-lifecycle-controller" })],
    cloud: undefined,
    ...over,
  };
}

function controller(
  over: Partial<ControllerInstanceView["controllers"][number]> = {},
): ControllerInstanceView["controllers"][number] {
  return {
    name: "cloud-node-controller",
    queueDepth: 0,
    oldestMs: 0,
    lastError: undefined,
    ...over,
  };
}

const STANDBY = instance({ identity: "ctl-2", leader: false, controllers: [] });

describe("the summary", () => {
  const sentence = (
    leader: ControllerInstanceView | undefined,
    ...others: readonly ControllerInstanceView[]
  ) => {
    const instances = leader === undefined ? others : [leader, ...others];
    return controllersSentence({ leader, instances }, NOW);
  };

  it("says how many run, where, and who stands by", () => {
    expect(sentence(instance(), STANDBY)).toBe(
      "2 of 6 controllers run on ctl-1. 1 replica stands by.",
    );
  });

  it("does not count a replica that no longer reports", () => {
    expect(sentence(instance(), { ...STANDBY, heardAt: NOW - 60_000 })).toContain(
      "No replica stands by",
    );
  });

  it("says what is paused, what fails and what is missing", () => {
    const paused = { by: "bo", why: "moving", until: NOW + 60_000 };
    const leader = instance({
      controllers: [controller({ paused }), controller({ lastError: "It failed." })],
      missingPermissions: ["patch nodes/status", "list services"],
    });
    expect(sentence(leader, STANDBY)).toBe(
      "2 of 6 controllers run on ctl-1. 1 is paused. 1 has a failing object. 2 permissions are missing. 1 replica stands by.",
    );
  });

  it("says that there is no leader, and that a dry run writes nothing", () => {
    expect(sentence(undefined, STANDBY)).toBe("No controller leads, so nothing is reconciled.");
    expect(sentence(instance({ dryRun: true }))).toContain("It is in dry run");
  });
});

describe("a process", () => {
  it.each([
    ["Leads", {}],
    ["Stands by", { leader: false }],
    ["Leads, dry run", { dryRun: true }],
    ["Unknown", { heardAt: NOW - 31_000 }],
  ])("is shown as: %s", (label, over) => {
    expect(processState(instance(over), NOW).label).toBe(label);
  });
});

describe("a controller", () => {
  it("is idle, working, paused or unknown", () => {
    const paused = { by: "bo", why: "moving", until: NOW };
    expect(controllerState(controller(), false).label).toBe("Idle");
    expect(controllerState(controller({ queueDepth: 3 }), false).label).toBe("Working");
    expect(controllerState(controller({ queueDepth: 3, paused }), false).label).toBe("Paused");
    expect(controllerState(controller({ paused }), true).label).toBe("Unknown");
  });

  it("shows its queue", () => {
    expect(queueText(controller())).toBe("nothing");
    expect(queueText(controller({ queueDepth: 1_200, oldestMs: 4_200 }))).toBe(
      "1,200, the oldest for 4.2 s",
    );
  });

  it.each([
    [{ cause: "notSelected" }, "--controllers leaves it out"],
    [
      { cause: "flagOff", what: "--configure-cloud-routes=false" },
      "--configure-cloud-routes=false",
    ],
    [{ cause: "notOffered", what: "routes" }, "The provider sandbox offers no routes."],
    [{ cause: "notBuilt" }, "This version does not include it."],
    [
      { cause: "elsewhere", what: "kube-controller-manager" },
      "The leader migration gives it to kube-controller-manager.",
    ],
    [{ cause: "waitsForLease", what: "moving" }, "once this process holds the Lease moving"],
    [{ cause: "starting" }, "about to start"],
  ] as const)("that does not run says why: %j", (idle, text) => {
    expect(idleText({ name: "node-route-controller", ...idle }, "sandbox")).toContain(text);
  });

  it("of a leader with an older version says that nothing was reported", () => {
    expect(idleText(undefined, "sandbox")).toBe("The leader did not say why.");
  });
});

it.each([
  [0, "nothing"],
  [10, "1 KiB"],
  [3_500_000, "3.3 MiB"],
])("%d bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
