import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import { describe, expect, it } from "vitest";
import {
  countVerdicts,
  isSimplyIn,
  memberReason,
  membersSentence,
  shownMembers,
} from "./members.ts";

function member(node: string, over: Partial<MemberVerdict> = {}): MemberVerdict {
  return { node, verdict: "in", why: "eligible", ...over };
}

describe("the reason for a node's verdict", () => {
  it.each<[Partial<MemberVerdict>, string]>([
    [{}, "it is eligible"],
    [{ health: "healthy" }, "it is eligible, healthy in the cloud"],
    [{ why: "notReady" }, "not ready (by design: the load balancer asks the node itself)"],
    [{ why: "cordoned" }, "cordoned (by design: pods that run on it still serve)"],
    [{ verdict: "soon" }, "requested, and not yet seen in the cloud"],
    [{ verdict: "leaving" }, "the cloud still has it"],
    [
      { verdict: "leaving", why: "beingDeleted" },
      "the cloud still has it: the node is being deleted",
    ],
    [{ verdict: "out" }, "not requested yet"],
    [
      {
        verdict: "out",
        why: "excludedByLabel",
        evidence: 'node.kubernetes.io/exclude-from-external-load-balancers="true"',
      },
      'label node.kubernetes.io/exclude-from-external-load-balancers="true"',
    ],
    [
      { verdict: "out", why: "autoscalerRemoves" },
      "the autoscaler is removing it (taint ToBeDeletedByClusterAutoscaler)",
    ],
    [
      { verdict: "out", why: "withoutProviderID" },
      "it has no provider ID, so the cloud cannot identify its machine",
    ],
    [
      { verdict: "out", why: "refused", evidence: "no such instance" },
      "the cloud refuses it: no such instance",
    ],
    [{ verdict: "leaving", why: "foreign" }, "the cloud still has it: not a node of this cluster"],
  ])("%j", (over, reason) => {
    expect(memberReason(member("w-1", over))).toBe(reason);
  });
});

describe("a node that is simply in", () => {
  it.each<[Partial<MemberVerdict>, boolean]>([
    [{}, true],
    [{ health: "healthy" }, true],
    [{ health: "unhealthy" }, false],
    [{ why: "notReady" }, false],
    [{ verdict: "soon" }, false],
  ])("%j: %j", (over, expected) => {
    expect(isSimplyIn(member("w-1", over))).toBe(expected);
  });
});

const MEMBERS = [
  member("w-10"),
  member("w-9"),
  member("w-2", { verdict: "out", why: "cordoned" }),
  member("w-3", { verdict: "soon" }),
];

describe("the members of a load balancer", () => {
  const names = (given: Parameters<typeof shownMembers>[1]) =>
    shownMembers(MEMBERS, given).map(({ node }) => node);

  it("list first the nodes that are not in, then the others in natural order", () => {
    expect(names({ member: "all", text: "" })).toEqual(["w-3", "w-2", "w-9", "w-10"]);
  });

  it("are filtered by verdict and by name", () => {
    expect(names({ member: "out", text: "" })).toEqual(["w-2"]);
    expect(names({ member: "all", text: " W-1 " })).toEqual(["w-10"]);
  });

  it("are counted", () => {
    expect(countVerdicts(MEMBERS)).toEqual({ all: 4, in: 2, soon: 1, leaving: 0, out: 1 });
    expect(membersSentence(MEMBERS)).toBe("2 in, 1 soon, 1 out");
    expect(membersSentence([])).toBe("0 in");
  });
});
