import type { KubeClient, KubeObject } from "@cloudwright/core/kube/client";
import { KubeError } from "@cloudwright/core/kube/errors";
import { createManualClock, type ManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { beforeEach, expect, it } from "vitest";
import { createLog } from "../logging/log.ts";
import { type PermissionCheck, startPermissionCheck } from "./permission-check.ts";
import { type Right, rightText } from "./review-rights.ts";

const RIGHTS: readonly Right[] = [
  { verb: "patch", group: "", resource: "nodes/status", without: "nodes get no addresses" },
  { verb: "delete", group: "", resource: "nodes", without: "nodes stay" },
];
let clock: ManualClock;
let lines: string[];
let granted: Set<string>;
let refusal: KubeError | undefined;

beforeEach(() => {
  clock = createManualClock();
  lines = [];
  granted = new Set(["patch nodes/status", "delete nodes"]);
  refusal = undefined;
});

it("reports nothing if everything is granted, and checks again after an hour", async () => {
  const check = await start();
  expect(check.note()).toBe("all granted");
  granted.delete("delete nodes");
  await clock.advance(3_599_000);
  expect(check.missing()).toEqual([]);
  await clock.advance(1_000);
  expect(check.missing().map(rightText)).toEqual(["delete nodes"]);
});

it("names each missing right once, and reports when it is granted", async () => {
  granted.clear();
  const check = await start();
  expect(check.note()).toBe("degraded, 2 missing: patch nodes/status; delete nodes");
  await clock.advance(30_000);
  expect(reported("A permission is missing")).toEqual([
    { permission: "patch nodes/status", identity: "robot", without: "nodes get no addresses" },
    { permission: "delete nodes", identity: "robot", without: "nodes stay" },
  ]);
  granted.add("delete nodes");
  await clock.advance(30_000);
  expect(check.missing().map(rightText)).toEqual(["patch nodes/status"]);
  expect(reported("A missing permission has been granted")).toEqual([
    { permission: "delete nodes", identity: "robot" },
  ]);
});

it("reports once that reviews are refused, and keeps the last result", async () => {
  granted.delete("delete nodes");
  const check = await start();
  expect(check.missing()).toHaveLength(1);
  refusal = new KubeError("Forbidden", "no", { verb: "create", resource: "x", status: 403 });
  await clock.advance(60_000);
  expect(check.note()).toMatch(/^could not be checked: .*system:basic-user/);
  expect(check.missing()).toHaveLength(1);
  expect(reported("The permissions could not be checked; trying again")).toHaveLength(1);
});

async function start(): Promise<PermissionCheck> {
  const log = createLog({ format: "json", verbosity: 0, write: (line) => lines.push(line) });
  const check = startPermissionCheck({
    clock,
    log,
    // Two controllers with the same service account.
    identities: [
      { who: "robot", client: { create: review }, rights: RIGHTS },
      { who: "robot", client: { create: review }, rights: RIGHTS.slice(1) },
    ],
  });
  await clock.advance(0);
  return check;
}

/** An API server whose rules are empty, so that each right is reviewed separately. */
const review: KubeClient["create"] = <T extends KubeObject>(_target: unknown, object: T) => {
  if (refusal !== undefined) return Promise.reject(refusal);
  const { spec } = object as unknown as {
    spec: { resourceAttributes?: { verb: string; resource: string; subresource?: string } };
  };
  const wanted = spec.resourceAttributes;
  const status =
    wanted === undefined ? { resourceRules: [] } : { allowed: granted.has(textOf(wanted)) };
  return Promise.resolve({ ...object, status });
};

function textOf(wanted: { verb: string; resource: string; subresource?: string }): string {
  const { verb, resource, subresource } = wanted;
  return `${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
}

function reported(message: string): object[] {
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message)
    .map(({ level: _level, time: _time, msg: _msg, problem: _problem, ...fields }) => fields);
}
