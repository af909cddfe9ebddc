import { expect, it } from "vitest";
import { speakIn } from "../../../testing/speak-in.ts";
import { deliveryProblem } from "./delivery-problem.ts";

const KEPT = [
  "The receiver answered 503.",
  "The receiver answered 302: redirects are not followed.",
  "Given up after 9 attempts: The receiver answered 503.",
  "Its user is disabled.",
  "No answer within 10 s.",
  "connect ECONNREFUSED 127.0.0.1:9",
];

it("is in English as it was stored", () => {
  expect(KEPT.map(deliveryProblem)).toEqual(KEPT);
});

it("is in the reader's language except for the network's own message", () => {
  speakIn("ja");
  const worded = KEPT.map(deliveryProblem);
  expect(worded.pop()).toBe(KEPT.at(-1));
  for (const text of worded) expect(text).not.toMatch(/[a-z]{3}/);
  expect(worded[2]).toContain("503");
});
