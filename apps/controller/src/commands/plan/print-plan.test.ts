import type { ChangeKind } from "@cloudwright/core/model/plan";
import { expect, it } from "vitest";
import type { PlanPreview } from "./planned-object.ts";
import { followUpsOf } from "./print-plan.ts";

function objects(...kinds: readonly ChangeKind[]): PlanPreview["objects"] {
  const changes = kinds.map((kind) => ({ kind }));
  return [
    { verdict: "change", run: { changes, controller: "cloud-node-controller" } },
  ] as unknown as PlanPreview["objects"];
}

it.each<[ChangeKind[], PlanPreview["running"], string[]]>([
  [
    ["node.pod-cidrs.write", "node.pod-cidrs.write"],
    ["node-ipam-controller", "node-route-controller"],
    ["routes to the new pod ranges"],
  ],
  [["node.pod-cidrs.write"], ["node-ipam-controller"], []],
  [
    ["node.delete"],
    ["service-lb-controller", "node-route-controller"],
    ["removal of the deleted nodes' routes"],
  ],
  [[], ["node-route-controller", "service-lb-controller"], []],
])("after %j of %j come %j", (kinds, running, whats) => {
  const found = followUpsOf({ objects: objects(...kinds), running });
  expect(found.map(({ what }) => what)).toEqual(whats);
});
