import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { DEFAULT_LEADER_MIGRATION } from "./leader-migration.ts";
import { readLeaderMigration } from "./placement.ts";

const HEAD = "apiVersion: controllermanager.config.k8s.io/v1\nkind: LeaderMigrationConfiguration\n";
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "cloudwright-migration-"));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function read(config: string | undefined, others: { lease?: string; enabled?: boolean } = {}) {
  const path = config === undefined ? "" : join(dir, "config.yaml");
  if (config !== undefined) writeFileSync(path, config);
  return readLeaderMigration({
    ...defaults(),
    "enable-leader-migration": others.enabled ?? true,
    "leader-migration-config": path,
    ...(others.lease === undefined ? {} : { "leader-elect-resource-name": others.lease }),
  });
}

describe("--leader-migration-config", () => {
  it("is ignored while the migration is off", async () => {
    await expect(read("nonsense: [", { enabled: false })).resolves.toBeUndefined();
  });

  it("defaults to upstream's", async () => {
    await expect(read(undefined)).resolves.toEqual(DEFAULT_LEADER_MIGRATION);
  });

  it("is read from its file", async () => {
    await expect(read(`${HEAD}leaderName: moving\n`)).resolves.toMatchObject({
      leaderName: "moving",
    });
  });

  it.each<[string, string, RegExp]>([
    [
      "what is wrong in the file",
      HEAD,
      /^--leader-migration-config .*config\.yaml lacks the field/,
    ],
    [
      "a Lease that is the main one already",
      `${HEAD}leaderName: cloud-controller-manager\n`,
      /takes the Lease cloud-controller-manager, which is the main one: give one of the two another/,
    ],
    [
      "a controller of two components",
      `${HEAD}leaderName: a\ncontrollerLeaders: [{name: route, component: "*"}, {name: route-controller, component: kube-controller-manager}]\n`,
      /gives the controller route-controller to two components: leave one entry\.$/,
    ],
  ])("reports %s in one sentence", async (_, config, message) => {
    await expect(read(config)).rejects.toMatchObject({
      name: "PlainError",
      exitCode: 1,
      message: expect.stringMatching(message),
    });
  });

  it("reports a missing file", async () => {
    const flags = { ...defaults(), "enable-leader-migration": true };
    await expect(
      readLeaderMigration({ ...flags, "leader-migration-config": join(dir, "absent.yaml") }),
    ).rejects.toThrow(/^--leader-migration-config cannot be read .*: check the path\.$/);
  });

  it("refuses upstream's default if the main Lease has the same name", async () => {
    await expect(read(undefined, { lease: "cloud-provider-extraction-migration" })).rejects.toThrow(
      /^--enable-leader-migration takes the Lease/,
    );
  });
});
