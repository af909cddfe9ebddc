import { expect, it } from "vitest";
import type { MemberSet } from "./members.ts";
import { memberNames, withMemberNames } from "./names.ts";

const SET: MemberSet = {
  members: [],
  nodes: [
    { node: "w-1", isEligible: true, why: "eligible", providerID: "aws:///eu-1a/i-1" },
    { node: "w-2", isEligible: false, why: "withoutProviderID", providerID: undefined },
  ],
};
const GONE = { nodeName: "w-9", providerID: "aws:///eu-1a/i-9", addresses: [] };

it("a machine is known by its provider ID and by the end of that, even if its node has gone", () => {
  const nameOf = memberNames(SET, [GONE]);
  expect(["aws:///eu-1a/i-1", "i-1", "i-9", "i-7"].map(nameOf)).toEqual([
    "w-1",
    "w-1",
    "w-9",
    "i-7",
  ]);
});

it("added and removed members are shown by their nodes' names, and nothing else is changed", () => {
  const shown = { members: { added: ["i-1"], removed: ["i-9", "i-7"], count: 3 }, name: "i-1" };
  expect(withMemberNames(shown, memberNames(SET, [GONE]))).toEqual({
    members: { added: ["w-1"], removed: ["w-9", "i-7"], count: 3 },
    name: "i-1",
  });
  expect(withMemberNames(null, memberNames(SET, []))).toBeNull();
});
