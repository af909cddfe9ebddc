import { expect, it } from "vitest";
import { TRIGGER_KINDS, TRIGGER_NAMES, triggerKindOf, triggerName } from "./trigger-name.ts";

it.each([
  ["change", "change"],
  ["period", "period"],
  ["retry", "auto-retry"],
  ["start", "start"],
  ["intent", "action"],
] as const)("a run begun by %s is called %s, and found by either", (kind, name) => {
  expect(triggerName({ kind })).toBe(name);
  expect(triggerKindOf(name)).toBe(kind);
  expect(triggerKindOf(kind)).toBe(kind);
});

it("an unknown name finds nothing", () => {
  for (const name of ["", "Change", "auto", "toString"])
    expect(triggerKindOf(name)).toBeUndefined();
});

it("each trigger has a unique name without a space, so that a log line remains a list of words", () => {
  expect(new Set(TRIGGER_NAMES).size).toBe(TRIGGER_KINDS.length);
  for (const name of TRIGGER_NAMES) expect(name).toMatch(/^\S+$/);
});
