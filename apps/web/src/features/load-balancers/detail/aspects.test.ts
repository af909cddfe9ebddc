import type { LoadBalancerDetail } from "@cloudwright/core/model/records/load-balancer-record";
import type { LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { describe, expect, it } from "vitest";
import {
  aspectRows,
  comparedSentence,
  countDifferences,
  listenerAspect,
  shownDrift,
} from "./aspects.ts";

const SAME = { name: "listener 443/TCP", desired: "to 31443", actual: "to 31443" };
const WRONG = { name: "source ranges", desired: "10.0.0.0/8", actual: "0.0.0.0/0" };
const DETAIL: LoadBalancerDetail = {
  kind: "balancer",
  aspects: [SAME, WRONG],
  ignored: [],
  members: [
    { node: "w-1", verdict: "in", why: "eligible" },
    { node: "w-2", verdict: "soon", why: "eligible" },
    { node: "w-3", verdict: "out", why: "cordoned" },
  ],
  membersIn: 1,
  membersWanted: 2,
  published: [],
  ports: [{ name: "https", protocol: "TCP", port: 443, nodePort: 31443 }],
};

const ACTUAL = { id: "lb-1", name: "a1", type: "", addresses: [], state: "active", parts: [] };

describe("desired beside actual", () => {
  it("begins with what differs", () => {
    expect(aspectRows(DETAIL)).toEqual([
      { ...WRONG, differs: true },
      { ...SAME, differs: false },
    ]);
  });

  it("differs if one side is missing", () => {
    const [row] = aspectRows({ ...DETAIL, aspects: [{ name: "health check", desired: "TCP" }] });
    expect(row).toMatchObject({ differs: true, actual: undefined });
  });

  it("counts nodes that are changing, but not those that are out", () => {
    expect(countDifferences(DETAIL)).toBe(2);
  });

  it.each([
    [{}, "There is no load balancer in the cloud."],
    [{ actual: ACTUAL }, "1 of 2 compared parts differs. 1 node being added or removed."],
    [{ actual: ACTUAL, aspects: [SAME, SAME], members: [] }, "All 2 compared parts are in sync."],
    [{ actual: ACTUAL, aspects: [SAME], members: [] }, "The compared part is in sync."],
    [
      { actual: ACTUAL, aspects: [], members: [] },
      "The provider reports nothing that can be compared.",
    ],
  ])("of %j explains in one sentence what its number counts", (over, sentence) => {
    expect(comparedSentence({ ...DETAIL, ...over })).toBe(sentence);
  });

  it("finds the aspect of a listener", () => {
    const [port] = DETAIL.ports;
    expect(port && listenerAspect(DETAIL, port)).toMatchObject({ differs: false });
    expect(port && listenerAspect(DETAIL, { ...port, protocol: "UDP" })).toBeUndefined();
  });
});

describe("a load balancer that was recorded as drifted", () => {
  const view = (detail: LoadBalancerDetail | undefined) =>
    ({ row: { drift: "drifted" }, detail }) as LoadBalancerView;

  it.each([
    ["with a difference is", DETAIL, "drifted"],
    [
      "without one is not",
      { ...DETAIL, aspects: [SAME], members: DETAIL.members.slice(0, 1) },
      "inStep",
    ],
    ["of which nothing more is known is", undefined, "drifted"],
  ])("%s", (_name, detail, drift) => {
    expect(shownDrift(view(detail))).toBe(drift);
  });
});
