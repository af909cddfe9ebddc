import { CONTROLLER_NAMES, type ControllerName } from "@cloudwright/core/model/controller-names";
import type { Reason } from "@cloudwright/core/model/reason";
import { expect, it } from "vitest";
import { endsSoon } from "../../../platform/controls/countdown.tsx";
import { endingOf, holdOf, type ReportedNode } from "./node-header.tsx";

const HELD: Reason = { code: "HeldByAnnotation", by: "ana", why: "disk check", untilMs: 5 };

type States = Partial<Record<ControllerName, Reason>>;

function node(reason: Reason, states: States = {}, goneAt?: number): ReportedNode {
  const controllers = CONTROLLER_NAMES.flatMap((controller) => {
    const said = states[controller];
    return said === undefined ? [] : [{ controller, reason: said }];
  });
  return { row: { reason }, controllers, goneAt };
}

it.each<[string, ReportedNode, ReturnType<typeof endingOf>]>([
  ["is in sync", node({ code: "InStep" }), undefined],
  ["is held", node(HELD), { kind: "hold", by: "ana", why: "disk check", until: 5 }],
  [
    "is held by kubectl, without an end",
    node({ code: "HeldByAnnotation" }),
    { kind: "hold", by: undefined, why: undefined, until: undefined },
  ],
  [
    "was freed unfinished",
    node({ code: "FreedUnfinished", by: "bo", why: "INC-88", untilMs: 7 }),
    { kind: "override", by: "bo", why: "INC-88", until: 7 },
  ],
  ["is gone", node(HELD, {}, 9), undefined],
])("a node that %s", (_what, given, ending) => {
  expect(endingOf(given)).toEqual(ending);
});

it("the report of the loop that writes holds counts, even if the other loop's is older and worse", () => {
  const released = node(HELD, {
    "cloud-node-lifecycle-controller": HELD,
    "cloud-node-controller": { code: "InStep" },
  });
  expect(holdOf(released)).toBeUndefined();
});

it.each([
  [600_001, false],
  [600_000, true],
  [0, true],
  [-1, true],
])("%d ms before the end it ends soon: %s", (left, isSoon) => {
  expect(endsSoon(1_000_000 + left, 1_000_000)).toBe(isSoon);
});
