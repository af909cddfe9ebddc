import { describe, expect, it } from "vitest";
import {
  advice,
  codesWhere,
  depthOf,
  factsOf,
  faultOf,
  REASON_CODES,
  REASONS,
  type Reason,
  severityOf,
  stateOf,
} from "../reason.ts";
import { OUTCOMES, type Outcome } from "../run.ts";
import { type State, stateAfter } from "../state.ts";

const CALL = { provider: "s", operation: "GET /x", message: "no" };
const KUBE = { verb: "patch", resource: "nodes", message: "no" };

/**
 * The state of an object after a failed call, at once and after three failures in more than two minutes (DESIGN.md "State").
 */
const FAILED_CALLS: readonly [what: string, Reason, atOnce: State, later: State, advice: RegExp][] =
  [
    [
      "a cloud that asks for fewer calls",
      { code: "ProviderThrottled", provider: "s", operation: "GET /x" },
      "unknown",
      "stuck",
      /resumes by itself/,
    ],
    [
      "a cloud that is down",
      { code: "ProviderUnavailable", ...CALL },
      "unknown",
      "stuck",
      /cloud's status/,
    ],
    [
      "a cloud that does not answer",
      { code: "ProviderTimedOut", provider: "s", operation: "GET /x", afterMs: 9 },
      "unknown",
      "stuck",
      /network to it/,
    ],
    [
      "credentials that the cloud rejects",
      { code: "ProviderUnauthorized", ...CALL },
      "stuck",
      "stuck",
      /Check the credentials/,
    ],
    [
      "a quota that is used up",
      { code: "ProviderQuotaExceeded", ...CALL },
      "stuck",
      "stuck",
      /higher limit/,
    ],
    [
      "a request that the cloud refuses",
      { code: "ProviderRefused", ...CALL },
      "stuck",
      "stuck",
      /Read the cloud's message/,
    ],
    [
      "a request that another one overtook",
      { code: "ProviderRefused", ...CALL, because: "conflict" },
      "working",
      "stuck",
      /retried automatically/,
    ],
    [
      "a request about what is gone by then",
      { code: "ProviderRefused", ...CALL, because: "notFound" },
      "working",
      "stuck",
      /retried automatically/,
    ],
    [
      "what the provider does not offer",
      { code: "ProviderUnsupported", provider: "s", operation: "x" },
      "stuck",
      "stuck",
      /turn this controller off/,
    ],
    [
      "a right that is not granted",
      { code: "KubeForbidden", ...KUBE },
      "stuck",
      "stuck",
      /[Gg]rant|role/,
    ],
    [
      "an error that nobody foresaw",
      { code: "Unexplained", message: "EPIPE" },
      "working",
      "stuck",
      /retried automatically/,
    ],
  ];

/** The fault of each code with a constant one. */
const FAULTS = new Map<string, unknown>(
  Object.values(REASONS)
    .flat()
    .map((each) => [each.code, "fault" in each ? each.fault : undefined]),
);

function stateOfFailure(reason: Reason, failures: number, failingForMs: number): State {
  return stateAfter({
    outcome: "failed",
    couldNotObserve: stateOf(reason) === "unknown",
    fault: faultOf(reason),
    failures,
    failingSinceMs: 1_000_000 - failingForMs,
    nowMs: 1_000_000,
  });
}

describe("an object whose run failed", () => {
  it.each(FAILED_CALLS)("by %s", (...[_what, reason, atOnce, later, says]) => {
    expect(stateOfFailure(reason, 1, 0)).toBe(atOnce);
    expect(stateOfFailure(reason, 3, 120_000)).toBe(later);
    expect(severityOf(reason)).toBe("warning");
    expect(advice(reason)).toMatch(says);
  });

  it.each([
    ["too few failures", 2, 600_000],
    ["too short a time", 30, 119_999],
  ])("with a passing fault is not stuck after %s", (_what, failures, ms) => {
    const [passing] = FAILED_CALLS.map(([, reason]) => reason).filter(
      (reason) => faultOf(reason) === "passing",
    );
    expect(passing && stateOfFailure(passing, failures, ms)).not.toBe("stuck");
  });

  it.each<[Outcome, State]>([
    ["changed", "ok"],
    ["unchanged", "ok"],
    ["waiting", "waiting"],
    ["blocked", "stuck"],
    ["interrupted", "working"],
    ["failed", "working"],
    ["timedOut", "working"],
  ])("or ended otherwise, here %s, is %s", (outcome, state) => {
    const input = { couldNotObserve: false, fault: "none", failures: 1 } as const;
    expect(stateAfter({ ...input, outcome, failingSinceMs: undefined, nowMs: 5 })).toBe(state);
  });

  it("is tested here with each possible outcome", () => {
    expect([...OUTCOMES].toSorted()).toEqual(
      [
        "failed",
        "timedOut",
        "interrupted",
        "blocked",
        "waiting",
        "changed",
        "unchanged",
      ].toSorted(),
    );
  });

  it("is stuck although the run changed what it could, if a user has to do the rest", () => {
    const input = { couldNotObserve: false, fault: "user", failures: 0 } as const;
    for (const outcome of ["changed", "unchanged"] as const)
      expect(stateAfter({ ...input, outcome, failingSinceMs: undefined, nowMs: 5 })).toBe("stuck");
  });
});

describe("the depth of a cause", () => {
  it("is that of its controller's work for what any call can have", () => {
    const refused: Reason = { code: "ProviderRefused", ...CALL };
    expect(depthOf(refused, "node-route-controller")).toBe("network");
    expect(depthOf(refused, "node-ipam-controller")).toBe("podRange");
    expect(depthOf(refused, "cloud-node-controller")).not.toBe("network");
  });

  it("is its own for all others, whichever controller met it", () => {
    const missing: Reason = { code: "RouteMissing", cidr: "10.0.3.0/24" };
    expect(depthOf(missing, "cloud-node-controller")).toBe("network");
    const none: Reason = { code: "CloudListsNothing", provider: "s", nodes: 3 };
    expect(depthOf(none, "cloud-node-lifecycle-controller")).toBe("machine");
  });
});

describe("the facts for a page", () => {
  it("what is noted, waits or is reported once is no fault of a user", () => {
    const alone = codesWhere(({ isReportedOnce }) => isReportedOnce === true);
    expect(alone.length).toBeGreaterThan(0);
    for (const code of alone) expect([code, FAULTS.get(code)]).not.toEqual([code, "user"]);
  });

  it("only an answer that proves nothing needs another one", () => {
    expect(codesWhere(({ needsProof }) => needsProof === true)).toEqual(
      expect.arrayContaining(["InstanceAbsentOnce", "RouteDeletionsUnconfirmed"]),
    );
    for (const code of codesWhere(({ needsProof }) => needsProof === true))
      expect([code, FAULTS.get(code) === "user"]).toEqual([code, false]);
  });

  it("a mistake in an object is a user's to correct", () => {
    const mistakes = codesWhere(({ isMistake }) => isMistake === true);
    expect(mistakes).toContain("ServiceInvalid");
    for (const code of mistakes) expect([code, FAULTS.get(code)]).toEqual([code, "user"]);
  });

  it("a code that this release does not define has the facts of any other's", () => {
    expect(factsOf("LabelRefused")).toBe(factsOf("Other"));
    expect(factsOf("LabelRefused").severity).toBeUndefined();
  });

  it("every code is defined once and reads as a name", () => {
    expect(new Set(REASON_CODES).size).toBe(REASON_CODES.length);
    for (const code of REASON_CODES) expect(code).toMatch(/^(?:[A-Z][a-z]*)+[A-Z]*[A-Za-z]*$/);
  });
});
