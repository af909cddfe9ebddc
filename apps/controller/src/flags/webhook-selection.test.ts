import { expect, it } from "vitest";
import { selectedWebhooks, unknownWebhooks } from "./webhook-selection.ts";

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

it("knows none but its own, and takes no alias of a controller for one", () => {
  expect(
    unknownWebhooks(["*", "pvlabel", "-other", "pvlabels", "volume-label-controller"]),
  ).toEqual(["other", "pvlabels", "volume-label-controller"]);
});
