import { describe, expect, it } from "vitest";
import {
  advice,
  factsOf,
  faultOf,
  pauseMs,
  REASON_CODES,
  type Reason,
  severityOf,
  stateOf,
} from "../reason.ts";
import { CAUSES_OF_CALLS } from "../testing/causes/calls.ts";
import { CAUSES_OF_LOAD_BALANCERS } from "../testing/causes/load-balancers.ts";
import { CAUSES_OF_NODES } from "../testing/causes/nodes.ts";
import { CAUSES_OF_ROUTES_AND_VOLUMES } from "../testing/causes/routes-and-volumes.ts";
import { CAUSES_OF_USERS } from "../testing/causes/users.ts";

/** At least one reason of each code. */
const EACH: readonly Reason[] = [
  ...CAUSES_OF_CALLS,
  ...CAUSES_OF_NODES,
  ...CAUSES_OF_LOAD_BALANCERS,
  ...CAUSES_OF_ROUTES_AND_VOLUMES,
  ...CAUSES_OF_USERS,
].map(([reason]) => reason);

const CALL = { provider: "s", operation: "GET /x" };
const LB = { provider: "s", id: "lb-1", name: "a1" };

describe("what a user can do", () => {
  it.each<[string, Reason, RegExp]>([
    [
      "of a machine looked for by its name",
      { code: "InstanceNotFound", provider: "s", by: "name", value: "w-9" },
      /^Check that the node's name/,
    ],
    [
      "of a machine looked for by its ID",
      { code: "InstanceNotFound", provider: "s", by: "providerID", value: "s://9" },
      /^Check that the provider ID/,
    ],
    [
      "of a machine that is being started: nothing",
      { code: "InstanceStopped", provider: "s", state: "pending" },
      /^$/,
    ],
    [
      "of a machine that was stopped",
      { code: "InstanceStopped", provider: "s", state: "stopped" },
      /^Start the instance/,
    ],
    [
      "of a load balancer that nobody owns",
      { code: "BalancerUnowned", ...LB },
      /^Adopt it on its page/,
    ],
    [
      "of one that serves more than the Service asks for",
      { code: "BalancerUnowned", ...LB, others: ["port 443"] },
      /^Adopting it would remove that/,
    ],
    [
      "of one that outlives its Service and nobody owns",
      { code: "BalancerStands", ...LB, proofs: ["name"] },
      /^Adopt it, and it is deleted/,
    ],
    [
      "of one that outlives its Service and is somebody's",
      { code: "BalancerStands", ...LB, proofs: ["name"], owner: "cluster c-2" },
      /^Delete it in the cloud; if it serves somebody else, let the Service go without it, or remove the finalizer/,
    ],
    [
      "of a refused node beside others",
      { code: "BalancerMemberRefused", node: "w-1", message: "no", others: 0, serves: "members" },
      /^The other nodes serve\. Correct/,
    ],
    [
      "of the only node, refused",
      { code: "BalancerMemberRefused", node: "w-1", message: "no", others: 0, serves: "nothing" },
      /^No other node is serving\. Correct/,
    ],
    [
      "of a refused node in an earlier release's record",
      { code: "BalancerMemberRefused", node: "w-1", message: "no", others: 0 },
      /^Correct that node's provider ID/,
    ],
    [
      "of the only node, whose machine is gone",
      { code: "BalancerMemberGone", provider: "s", node: "w-1", others: 0, serves: "nothing" },
      /^No other node is serving\. This follows/,
    ],
    [
      "of one of many whose machine is gone",
      { code: "BalancerMemberGone", provider: "s", node: "w-1", others: 0, serves: "members" },
      /^The other nodes serve\. This follows/,
    ],
    ["of what somebody's own controller says", { code: "Other", name: "X", text: "x" }, /^$/],
  ])("%s", (_of, reason, said) => {
    expect(advice(reason)).toMatch(said);
  });

  it("exists for every fault that only a user can fix", () => {
    const silent = EACH.filter((one) => one.code !== "Other" && faultOf(one) === "user").filter(
      (one) => advice(one) === "",
    );
    expect(silent.map(({ code }) => code)).toEqual([]);
  });

  it("consists of whole sentences", () => {
    const odd = EACH.filter((one) => one.code !== "Other")
      .map(advice)
      .filter((text) => text !== "" && !/^[A-Z].*\.$/.test(text));
    expect(odd).toEqual([]);
  });

  it("never promises an automatic retry if only a user can fix it and nothing is retried", () => {
    const odd = EACH.filter((one) => faultOf(one) === "user" && stateOf(one) === undefined)
      .filter((one) => /It (?:resumes|continues) by itself/.test(advice(one)))
      .map(({ code }) => code);
    expect(odd).toEqual([]);
  });
});

describe("the requested wait", () => {
  it.each<[string, Reason, number | undefined]>([
    ["as long as it named", { code: "ProviderThrottled", ...CALL, retryAfterMs: 7_000 }, 7_000],
    ["a second where it named no time", { code: "ProviderThrottled", ...CALL }, 1_000],
    [
      "no pause of a failure that named none",
      { code: "ProviderUnavailable", ...CALL, message: "down" },
      undefined,
    ],
    [
      "no pause of one that named nothing to wait for",
      { code: "ProviderUnavailable", ...CALL, message: "down", retryAfterMs: 0 },
      undefined,
    ],
    [
      "as long as an outage named",
      { code: "ProviderUnavailable", ...CALL, message: "down", retryAfterMs: 90_000 },
      90_000,
    ],
    ["nothing where nobody refused", { code: "InStep" }, undefined],
    [
      "nothing of a quota, which time does not fix",
      { code: "ProviderQuotaExceeded", ...CALL, message: "full" },
      undefined,
    ],
  ])("%s", (_how, reason, ms) => {
    expect(pauseMs(reason)).toBe(ms);
  });

  it("exists only for calls to the cloud and the cluster", () => {
    const pausing = EACH.filter((one) => pauseMs(one) !== undefined).map(({ code }) => code);
    for (const code of pausing) expect(code).toMatch(/^(?:Provider|Kube)/);
  });
});

describe("facts of reasons agree with each other", () => {
  it("every code is tested here", () => {
    const tried = new Set(EACH.map(({ code }) => code));
    expect(REASON_CODES.filter((code) => !tried.has(code))).toEqual([]);
  });

  it("what somebody has to fix is a warning", () => {
    const quiet = EACH.filter((one) => faultOf(one) === "user" && severityOf(one) !== "warning");
    expect(quiet.map(({ code }) => code)).toEqual([]);
  });

  it("what could not be observed is unknown, and may become known by itself or be fixed", () => {
    const odd = EACH.filter((one) => stateOf(one) === "unknown" && faultOf(one) === "none");
    expect(odd.map(({ code }) => code)).toEqual([]);
  });

  it("an action is offered only if somebody has to decide", () => {
    const offering = EACH.filter(({ code }) => factsOf(code).offers !== undefined);
    expect(new Set(offering.map(({ code }) => code))).toEqual(
      new Set([
        ...["BalancerUnowned", "BalancerStands", "RouteUnowned"],
        ...["DeletionGuardHeld", "HeldByAnnotation"],
      ]),
    );
    for (const one of offering) {
      expect([one.code, faultOf(one) === "user" || stateOf(one) === "held"]).toEqual([
        one.code,
        true,
      ]);
    }
  });

  it("a machine that is or may be gone explains all later failures, one that is stopped only passing ones", () => {
    const explaining = (how: "all" | "passing") =>
      REASON_CODES.filter((code) => factsOf(code).explains === how);
    expect(explaining("passing")).toEqual(["InstanceStopped"]);
    expect(explaining("all")).toEqual(
      expect.arrayContaining(["InstanceNotFound", "InstanceAbsentOnce", "InstanceGone"]),
    );
    for (const code of explaining("all")) {
      expect([code, ["machine", "controller"].includes(factsOf(code).depth)]).toEqual([code, true]);
    }
  });

  it("only reasons of Services mean that a load balancer serves", () => {
    const serving = REASON_CODES.filter((code) => factsOf(code).serves !== undefined);
    for (const code of serving) expect(factsOf(code).appearsIn).toEqual(["service"]);
    expect(serving.filter((code) => factsOf(code).serves === "nothing")).toEqual([
      "BalancerWithoutMembers",
    ]);
  });

  it("the nodes that a mass alarm counts are those of the lifecycle controller", () => {
    const vanished = REASON_CODES.filter((code) => factsOf(code).vanished !== undefined);
    expect(vanished).toEqual(["InstanceAbsentOnce", "InstanceGone", "DeletionGuardHeld"]);
    for (const code of vanished) expect(factsOf(code).appearsIn).toEqual(["node-lifecycle"]);
  });
});
