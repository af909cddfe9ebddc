import type { Node, Service } from "@cloudwright/core/kube/client";
import type { Informer } from "@cloudwright/core/kube/informer-port";
import { expect, it } from "vitest";
import { parseFlags } from "../flags/parse-flags.ts";
import { readinessChecks } from "./health-checks.ts";
import { emptyState } from "./process-state.ts";

function mirror<T extends Node | Service>(hasSynced: boolean): Informer<T> {
  return {
    get: () => undefined,
    list: () => [],
    byIndex: () => [],
    subscribe: () => () => undefined,
    synced: new Promise(() => undefined),
    hasSynced,
    silentMs: () => 0,
  };
}

/** Whether a mirror is filled; undefined when there is none. */
type Seen = boolean | undefined;

it.each<readonly [string, Seen, Seen, string | undefined]>([
  ["nothing", undefined, undefined, "the nodes were not listed from the API server yet"],
  ["no nodes", false, true, "the nodes were not listed from the API server yet"],
  ["no services", true, false, "the services were not listed from the API server yet"],
  ["all that it needs", true, undefined, undefined],
  ["all", true, true, undefined],
])("a process that has listed %s says so", (_, ...[nodes, services, expected]) => {
  const mirrors =
    nodes === undefined
      ? undefined
      : {
          nodes: mirror<Node>(nodes),
          services: services === undefined ? undefined : mirror<Service>(services),
        };
  const flags = parseFlags(["--cloud-provider=sandbox"]);
  if (flags.kind !== "run") throw new Error("the flags were refused");
  const checks = readinessChecks(flags.values, { ...emptyState(), mirrors });
  expect(checks.find(({ name }) => name === "informers")?.check()).toBe(expected);
});
