import { describe, expect, it } from "vitest";
import type { ControllerName } from "../controller-names.ts";
import type { State } from "../state.ts";
import { type ControllerPart, controllersToRetry } from "./controllers-to-retry.ts";

const NODE = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";
const ROUTE = "node-route-controller";
const IPAM = "node-ipam-controller";

function parts(states: Readonly<Record<ControllerName, State>>): readonly ControllerPart[] {
  return Object.entries(states).map(([controller, state]) => ({
    controller,
    state,
  }));
}

describe("a retry of an object addresses", () => {
  it.each<[string, Readonly<Record<ControllerName, State>>, readonly ControllerName[]]>([
    [
      "every loop that is not OK, what others need first before them",
      { [ROUTE]: "working", [IPAM]: "waiting", [NODE]: "stuck", [LIFECYCLE]: "ok" },
      [NODE, IPAM, ROUTE],
    ],
    ["the loop that cannot look", { [NODE]: "unknown", [ROUTE]: "ok" }, [NODE]],
    ["none that is held while another needs it", { [NODE]: "held", [ROUTE]: "stuck" }, [ROUTE]],
    [
      "the held ones where nothing else is wrong",
      { [NODE]: "held", [ROUTE]: "held", [IPAM]: "ok" },
      [NODE, ROUTE],
    ],
    ["all loops of what is well", { [ROUTE]: "ok", [NODE]: "ok" }, [NODE, ROUTE]],
    ["nothing of what no loop has spoken of", {}, []],
  ])("%s", (_, states, expected) => {
    expect(controllersToRetry(parts(states))).toEqual(expected);
  });

  it("each loop once", () => {
    const twice = [...parts({ [NODE]: "ok" }), ...parts({ [NODE]: "working" })];
    expect(controllersToRetry(twice)).toEqual([NODE]);
  });
});
