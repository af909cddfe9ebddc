import { expect, it } from "vitest";
import { pathText, valueText } from "./audit-peek.tsx";

it.each([
  ["hold › until", "1795442400000", "2026-11-23 14:00:00.000 UTC"],
  ["hold › until", "2026-11-23T14:00:00Z", "2026-11-23 14:00:00.000 UTC"],
  ["retryAfterMs", "42000", "42 s"],
  ["leaseTransitions", "41", "41"],
  ["count", "1500.5", "1500.5"],
  ["name", "node-21", "node-21"],
  ["times", "1795442400000\nnever", "2026-11-23 14:00:00.000 UTC\nnever"],
  ["providerID", "17954424000001795442400000", "17954424000001795442400000"],
])("%s of %j reads %s", (path, value, text) => {
  expect(valueText(path, value, "UTC")).toBe(text);
});

it("a request's own words are left out of the path", () => {
  expect(pathText("wish › until")).toBe("until");
  expect(pathText("hold › until")).toBe("hold › until");
});
