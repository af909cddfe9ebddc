import { expect, it } from "vitest";
import { outcomePresentation } from "./outcomes.ts";

it.each([
  { outcome: "changed", dryRun: false, label: "Changed" },
  { outcome: "changed", dryRun: true, label: "Would change" },
  { outcome: "blocked", dryRun: true, label: "Blocked" },
] as const)("the outcome $outcome, dry: $dryRun, reads $label", ({ label, ...run }) => {
  expect(outcomePresentation(run).label).toBe(label);
});
