import { onTestFinished } from "vitest";
import { type NodeShape, node } from "../../testing/node-fixture.ts";
import { RoutesFixture, type RoutesFixtureOptions } from "./route-fixture.ts";

/** Returns a settled fixture, which is stopped after the test. */
export async function fixture(options: RoutesFixtureOptions = {}): Promise<RoutesFixture> {
  const made = new RoutesFixture(options);
  onTestFinished(() => made.stop());
  return made.settle();
}

/** `n1` has the machine `p://n1` and the range 10.0.1.0/24. */
export function member(number: number, shape: NodeShape = {}) {
  return node({
    name: `n${number}`,
    providerID: `p://n${number}`,
    podCIDRs: [`10.0.${number}.0/24`],
    ...shape,
  });
}

export const TWO = [member(1), member(2)];

export const TABLE_OF_TWO = ["10.0.1.0/24 → p://n1", "10.0.2.0/24 → p://n2"];

export const OURS = { ours: "n1" } as const;
