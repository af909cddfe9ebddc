import { describe, expect, it } from "vitest";
import {
  floorSeconds,
  type ServiceCell,
  serviceArguments,
  serviceCellName,
  serviceCellsOf,
} from "./service-cells.ts";
import { aimsOfServices, verdict } from "./verdict.ts";

const CELL: ServiceCell = { scenario: "create", flags: "default", services: 200, who: "headless" };
const UPSTREAM = {
  seconds: 40,
  "delete.seconds": 40,
  "add.seconds": 10,
  "remove.seconds": 10,
  rssPeakMiB: 80,
};
const GOOD = {
  seconds: 2.4,
  "delete.seconds": 2.4,
  "delete.balancersLeft": 0,
  "add.seconds": 0.6,
  "remove.seconds": 0.6,
  rssPeakMiB: 180,
  createSeconds: 2,
  mostUpdates: 5,
};

function judge(cell: Partial<ServiceCell>, numbers: Record<string, number>): string {
  const ours = { cell: { ...CELL, ...cell }, numbers: { ...GOOD, ...numbers } };
  const upstream = { cell: { ...ours.cell, who: "upstream" as const }, numbers: UPSTREAM };
  return verdict(aimsOfServices(ours, upstream));
}

describe("the cells of services", () => {
  it("measures upstream and us with the baseline's program, and only us with the sandbox cloud", () => {
    const cells = serviceCellsOf({
      scenarios: ["create", "fanout", "surge"],
      services: [200, 1_000],
      flags: ["tuned"],
      who: ["upstream", "headless"],
    });
    expect(cells.map(serviceCellName)).toEqual([
      "create-200-tuned-upstream",
      "create-200-tuned-headless",
      "create-1000-tuned-upstream",
      "create-1000-tuned-headless",
      "fanout-200-tuned-upstream",
      "fanout-200-tuned-headless",
      "surge-200-default-headless",
    ]);
  });

  it("passes the baseline's program its own arguments", () => {
    expect(serviceArguments(CELL).join(" ")).toBe(
      "--scenario services --services 200 --nodes 50 --profile default",
    );
  });

  it.each([
    ["provisioning", 1, 3],
    ["throttled", 1, 6],
    ["throttled", 9, 11],
  ] as const)("the floor of %s, created in %d s, is %d s", (scenario, created, floor) => {
    expect(floorSeconds({ ...CELL, scenario }, created)).toBe(floor);
  });
});

describe("the verdict on services", () => {
  it.each([
    ["everything as aimed for", {}, {}, "met"],
    ["slower than 0.06 of upstream's", {}, { seconds: 2.41 }, "**seconds 2.41 > 2.4**"],
    ["tuned as fast as upstream", { flags: "tuned" }, { seconds: 40 }, "met"],
    ["tuned and slower", { flags: "tuned" }, { seconds: 41 }, "**seconds 41 > 40**"],
    ["a leaked balancer", {}, { "delete.balancersLeft": 1 }, "**balancers left 1 > 0**"],
    ["too much memory", {}, { rssPeakMiB: 181 }, "**MiB 181 > 180**"],
    ["a slow join", { scenario: "fanout" }, { "add.seconds": 1 }, "**add.seconds 1 > 0.6**"],
    ["within 1.5 of the floor", { scenario: "provisioning" }, { seconds: 6 }, "met"],
    ["beyond it", { scenario: "provisioning" }, { seconds: 6.1 }, "**seconds 6.1 > 6**"],
    ["six updates", { scenario: "surge" }, { mostUpdates: 6 }, "**updates a balancer 6 > 5**"],
  ] as const)("%s", (...[, cell, numbers, expected]) => {
    expect(judge(cell, numbers)).toBe(expected);
  });
});
