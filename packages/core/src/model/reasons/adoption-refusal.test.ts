import { expect, test } from "vitest";
import { isAdoptionReason, refusalOfAdoption } from "./adoption-refusal.ts";

const UNOWNED = { code: "BalancerUnowned", provider: "sandbox", id: "lb-1", name: "a1" } as const;
const STANDS = {
  ...{ code: "BalancerStands", provider: "sandbox", id: "lb-2", name: "x" },
  proofs: ["address"],
} as const satisfies object;

test("consent is not enough for what belongs to another owner or has parts that others use", () => {
  const refusals = [
    { ...UNOWNED, proofs: ["name" as const] },
    { ...UNOWNED, others: ["listener 53/UDP"] },
    { ...STANDS, code: "BalancerStands" as const, proofs: ["address" as const] },
    { ...STANDS, code: "BalancerStands" as const, proofs: [], owner: "the cluster b" },
    { code: "RouteUnowned" as const, provider: "p", cidr: "c", id: "r-1", proofs: [] },
  ].map((reason) => refusalOfAdoption(reason));
  expect(refusals).toEqual([
    undefined,
    expect.stringContaining("listener 53/UDP"),
    undefined,
    expect.stringContaining("the cluster b"),
    undefined,
  ]);
});

test("only what has no owner waits for consent", () => {
  expect(isAdoptionReason(UNOWNED)).toBe(true);
  expect(isAdoptionReason({ code: "BalancerForeign" })).toBe(false);
});
