import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { BadOption, readOptions, readServiceOptions, readWebOptions } from "./options.ts";

const read = (...argv: string[]) =>
  readOptions(argv, { names: ["nodes", "ledger"], resultsDir: "results" });

describe("the options of a bench", () => {
  it("measures everything by default", () => {
    const { name, options } = read("nodes");
    expect(name).toBe("nodes");
    expect(options.choice).toEqual({
      scenarios: ["wave", "warm", "lone", "idle", "kill", "term"],
      nodes: [500, 2_000, 5_000],
      flags: ["default", "tuned", "throttled"],
      who: ["upstream", "headless", "ledger"],
    });
  });

  it("lets each part of the quick batch be overridden", () => {
    const { options } = read("nodes", "--quick", "--nodes", "50,100", "--scenario", "wave");
    expect(options.choice).toMatchObject({
      scenarios: ["wave"],
      nodes: [50, 100],
      flags: ["tuned"],
    });
  });

  it("measures this checkout's controller without counting by default", () => {
    expect(read("nodes").options).toMatchObject({ controller: undefined, isCounting: false });
    expect(read("nodes", "--count", "--controller", "/old/cloudwright.mjs").options).toMatchObject({
      controller: "/old/cloudwright.mjs",
      isCounting: true,
    });
  });

  it.each([
    [["--nodes", "0"], `--nodes: "0" is no whole number above 0.`],
    [["--runs", "many"], `--runs: "many" is no whole number above 0.`],
    [["--profile", "fast"], `--profile: "fast" is none of default, tuned, throttled.`],
    [["--speed"], "--speed"],
    [["nodes"], "The name of one bench is needed: nodes, ledger."],
  ])("refuses %s", (argv, message) => {
    expect(() => read("nodes", ...argv)).toThrow(BadOption);
    expect(() => read("nodes", ...argv)).toThrow(message);
  });
});

describe("the options of the bench of Services", () => {
  const readServices = (...argv: string[]) => readServiceOptions(["services", ...argv], "results");

  it("measures 200 and 1,000 Services by default", () => {
    expect(readServices("--scenario", "surge", "--who", "ledger")).toEqual({
      choice: {
        scenarios: ["surge"],
        services: [200, 1_000],
        flags: ["default", "tuned"],
        who: ["ledger"],
      },
      runs: 1,
      upstreamFrom: undefined,
      resultsDir: "results",
    });
  });

  it.each([[["--nodes", "5"]], [["more"]]])("refuses %j, which is for nodes alone", (argv) => {
    expect(() => readServices(...argv)).toThrow(BadOption);
  });
});

describe("the options of the bench of the dashboard", () => {
  const readWeb = (...argv: string[]) => readWebOptions(["web", ...argv]);

  it("measures the ledger of a large platform by default", () => {
    expect(readWeb("--runs", "20000")).toEqual({
      size: {
        clusters: 10,
        nodes: 5_000,
        services: 2_000,
        runs: 20_000,
        auditEntries: 1_000_000,
      },
      rounds: 60,
    });
  });

  it("measures only the named requests", () => {
    expect(readWeb("--only", "Changes")).toMatchObject({ only: "Changes" });
    expect(readWeb()).toMatchObject({ only: undefined });
  });

  it("keeps the ledger in a given folder", () => {
    expect(readWeb("--keep", "large")).toMatchObject({ keep: resolve("large") });
  });

  it.each([[["--runs", "0"]], [["--who", "ledger"]], [["more"]]])("refuses %j", (argv) => {
    expect(() => readWeb(...argv)).toThrow(BadOption);
  });
});
