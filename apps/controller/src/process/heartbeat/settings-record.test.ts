import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FLAG_NAMES } from "../../flags/definitions/all.ts";
import { parseFlags } from "../../flags/parse-flags.ts";
import { settingsRecord } from "./settings-record.ts";

beforeEach(() => vi.stubEnv("DATABASE_URL", ""));
afterEach(() => vi.unstubAllEnvs());

function record(...args: readonly string[]) {
  const parsed = parseFlags(args);
  if (parsed.kind !== "run") throw new Error("these flags do not run");
  const clock = createManualClock();
  return settingsRecord(
    { flags: parsed.values, given: parsed.given, identity: "ctl-1", clock },
    "cluster-1",
  );
}

function flag(name: string, ...args: readonly string[]) {
  return record(...args).flags.find((setting) => setting.name === name);
}

describe("the record of settings", () => {
  it("has every flag with its value, its default and its source", () => {
    expect(record().flags.map(({ name }) => name)).toEqual(FLAG_NAMES);
    expect(flag("kube-api-qps", "--kube-api-qps=50")).toMatchObject({
      section: "Generic",
      value: "50",
      initial: "500",
      source: "flag",
      isSecret: false,
    });
    expect(flag("node-monitor-period")).toMatchObject({
      value: "5s",
      initial: "5s",
      source: "default",
    });
    expect(flag("min-resync-period")?.idle).toMatch(/interval/);
  });

  it("contains of a secret only whether it is set", () => {
    const url = "--database-url=postgres://u:p4ss@db/x";
    const all = JSON.stringify(record(url, "--cloud-config=/etc/cloud/secret.yaml"));
    expect(all).not.toContain("p4ss");
    expect(all).not.toContain("secret.yaml");
    expect(flag("database-url", url)).toMatchObject({ value: "set", source: "flag" });
    expect(flag("cloud-config")).toMatchObject({ value: "not set", source: "default" });
  });

  it("recognises values from the environment", () => {
    vi.stubEnv("DATABASE_URL", "postgres://u:p4ss@db/x");
    expect(flag("database-url")).toMatchObject({ value: "set", source: "environment" });
    expect(flag("database-url", "--database-url=postgres://other")).toMatchObject({
      value: "set",
      source: "flag",
    });
  });
});
