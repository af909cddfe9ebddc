import { afterEach, expect, it } from "vitest";
import { englishOf, speak } from "../language/text.ts";
import { eventMessage } from "../sentence.ts";
import {
  declinedResult,
  KEPT_RESULTS,
  loopResultInWords,
  loopsResult,
  problemInWords,
  resultInWords,
  seenResult,
} from "./intent-result.ts";

afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

const OF = {
  action: { kind: "retry" },
  object: { kind: "Node", name: "w-1", uid: "u-1" },
} as const;
const DECISION = { by: "bo", why: "Not on a Friday", at: 0 };
const REASON = { code: "ProviderIDMissing", provider: "aws" } as const;

/** Returns a catalog's placeholder for a value. */
function slot(index: number): string {
  return ["$", "{", index, "}"].join("");
}

function speakFrench(): void {
  const catalog = {
    "Cancelled before it started.": "Annulée avant de commencer.",
    [`${slot(0)} declined it: ${slot(1)}`]: `${slot(0)} l’a refusée : ${slot(1)}`,
    [`Done and confirmed: ${slot(0)}`]: `Fait et confirmé : ${slot(0)}`,
    [`${slot(0)} reports no address for its load balancer`]: `${slot(0)} n’annonce aucune adresse`,
  };
  speak({ language: "fr", catalogOf: () => catalog });
}

it("the stored result of an action is translated for its reader", () => {
  speakFrench();
  const cancelled = englishOf(KEPT_RESULTS.cancelled);
  expect(cancelled).toBe("Cancelled before it started.");
  expect(resultInWords({ ...OF, result: cancelled })).toBe("Annulée avant de commencer.");
  const declined = englishOf(() => declinedResult(DECISION));
  expect(resultInWords({ ...OF, result: declined, decision: DECISION })).toBe(
    "bo l’a refusée : Not on a Friday",
  );
});

it("results that consist of the plan's reasons are translated from those", () => {
  speakFrench();
  const preview = {
    ...{ changes: [], notTaken: [], planHash: "hash" },
    next: { kind: "blocked", reason: REASON } as const,
  };
  const seen = englishOf(() => seenResult(REASON));
  expect(seen).toMatch(/^Done and confirmed: /);
  expect(resultInWords({ ...OF, result: seen, preview })).toMatch(/^Fait et confirmé : /);
  const message = englishOf(() => eventMessage(REASON));
  expect(resultInWords({ ...OF, result: message, preview })).toBe(eventMessage(REASON));
});

it("the cause of a failed run is translated from the reason stored beside it", () => {
  speakFrench();
  const run = { code: "BalancerAddressMissing", provider: "aws" } as const;
  const kept = englishOf(() => eventMessage(run));
  expect(resultInWords({ ...OF, result: kept, evidence: { reason: run } })).toMatch(
    /^Aws n’annonce aucune adresse/,
  );
  expect(resultInWords({ ...OF, result: kept, evidence: { reason: { code: 1 } } })).toBe(kept);
  expect(problemInWords({ problem: kept, reason: run })).toMatch(/^Aws n’annonce/);
  expect(problemInWords({ problem: kept })).toBe(kept);
});

it("the results of several loops are translated one by one", () => {
  speakFrench();
  const run = { code: "BalancerAddressMissing", provider: "aws" } as const;
  const failed = englishOf(() => eventMessage(run));
  const loops = [
    { controller: "cloud-node-controller", state: "verified", result: "Fine." },
    { controller: "node-route-controller", state: "failed", result: failed, reason: run },
  ] as const;
  const kept = englishOf(() => loopsResult(loops));
  expect(kept).toMatch(
    /^Routes failed: Aws reports no address.* Node initialisation verified: Fine\.$/,
  );
  expect(resultInWords({ ...OF, result: kept, loops })).toMatch(/failed: Aws n’annonce aucune/);
  expect(loopResultInWords(loops[1], OF.object)).toMatch(/^Aws n’annonce aucune/);
  expect(loopResultInWords(loops[0], OF.object)).toBe("Fine.");
});

it("a result that contains more than the other fields stays as it is stored", () => {
  speakFrench();
  expect(resultInWords({ ...OF, result: "The cloud is on fire." })).toBe("The cloud is on fire.");
  expect(resultInWords({ ...OF, result: undefined })).toBeUndefined();
});
