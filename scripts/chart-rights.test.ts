import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "./lib/project.mjs";
import {
  including,
  isThere,
  type Manifest,
  NEEDED,
  type Rule,
  render,
} from "./testing/rendered-chart.ts";

// `npm test` builds it before running any tests, if Go is installed.
describe.skipIf(!isThere)("the rights that the Helm chart grants", () => {
  it("grants what deploy/rbac grants for the controllers that are on by default", () => {
    const parts = [
      "process",
      "events",
      "leader-election",
      "control-record",
      "https-authentication",
    ];
    const work = [
      "https-authorization",
      "node",
      "node-lifecycle",
      "service-cache",
      "service",
      "route",
    ];
    const shipped = shippedRules([...parts, ...work]);
    const leases = shipped.get("Role cloudwright:leader-election")?.flatMap(namesOf);
    expect(new Set(leases)).toContain("cloud-controller-manager");
    const granted = rulesOf(render(NEEDED));
    expect([...granted.keys()].sort()).toEqual([...shipped.keys()].sort());
    for (const [role, rules] of shipped)
      if (!role.endsWith("leader-election")) expect(granted.get(role)).toEqual(rules);
  });

  it("lets the controller read other components' Events for a ledger, unless that is turned off", () => {
    const database = { mode: "trial" };
    const watchedBy = (values: Readonly<Record<string, object>>) => {
      const objects = render(including(values));
      const controller = objects
        .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
        .find(({ args }) => args?.[0] === "controller");
      const granted = [...rulesOf(objects)].filter(([name]) => name.endsWith("watched-events"));
      expect(controller?.args?.includes("--watch-events")).toBe(granted.length === 1);
      return granted.flatMap(([, rules]) => rules.map(({ verbs }) => verbs));
    };
    expect(watchedBy({ database })).toEqual([["list", "watch"]]);
    expect(watchedBy({ database, controller: { watchEvents: false } })).toEqual([]);
    expect(watchedBy({})).toEqual([]);
  });

  it("grants the one Lease that it holds", () => {
    const names = (flags: object) =>
      rulesOf(render(including({ controller: { flags } })))
        .get("Role cloudwright:leader-election")
        ?.flatMap(namesOf);
    expect(new Set(names({}))).toEqual(new Set(["cloud-controller-manager"]));
    expect(new Set(names({ "dry-run": true }))).toEqual(new Set(["cloudwright-shadow"]));
    expect(new Set(names({ "enable-leader-migration": true }))).toEqual(
      new Set(["cloud-controller-manager", "cloud-provider-extraction-migration"]),
    );
  });

  it.each([
    [["cloud-node-controller"], ["services", "persistentvolumes"]],
    [["*", "-service"], ["services"]],
    [["volume"], ["services", "nodes/status"]],
  ])("with the controllers %j it grants nothing on %j", (controllers, resources) => {
    const rules = [...rulesOf(render(including({ controller: { controllers } }))).values()].flat();
    const granted = new Set(rules.flatMap((rule) => rule.resources ?? []));
    for (const resource of resources) expect(granted).not.toContain(resource);
    expect(granted).toContain("leases");
  });

  it("a dry run writes only its Lease", () => {
    const rules = rulesOf(render(including({ controller: { flags: { "dry-run": true } } })));
    const writes = [...rules.values()]
      .flat()
      .filter(({ verbs }) => verbs.some((verb) => !["get", "list", "watch"].includes(verb)))
      .flatMap((rule) => rule.resources ?? []);
    expect(new Set(writes)).toEqual(new Set(["leases", "tokenreviews", "subjectaccessreviews"]));
  });

  it("with an account for each controller, the process has no right to write nodes or Services", () => {
    const controllers = ["*", "volume"];
    const objects = render(
      including({ controller: { controllers, useServiceAccountCredentials: true } }),
    );
    const rules = rulesOf(objects);
    expect(rules.has("ClusterRole cloudwright:node")).toBe(false);
    expect(rules.has("ClusterRole cloudwright:service")).toBe(false);
    const identities = rules.get("Role cloudwright:controller-identities")?.flatMap(namesOf);
    expect(new Set(identities)).toEqual(
      new Set(["node-controller", "service-controller", "route-controller", "volume-controller"]),
    );
    const names = objects.map(({ metadata }) => metadata.name);
    expect(names).toContain("cloudwright:volume-controller:volume");
  });
});

/** Returns rules by kind and name, without those of hooks. */
function rulesOf(objects: readonly Manifest[]): ReadonlyMap<string, readonly Rule[]> {
  return new Map(
    objects
      .filter(({ kind, metadata }) => /Role$/.test(kind) && metadata.annotations === undefined)
      .map(({ kind, metadata, rules }) => [`${kind} ${metadata.name}`, rules ?? []]),
  );
}

function shippedRules(parts: readonly string[]): ReadonlyMap<string, readonly Rule[]> {
  const folder: string = inProject("deploy", "rbac");
  const files = readdirSync(folder).filter((file) => parts.includes(basename(file, ".yaml")));
  const objects = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8")).map(
      (document) => document.toJS() as Manifest,
    ),
  );
  return rulesOf(objects);
}

function namesOf({ resourceNames = [] }: Rule): readonly string[] {
  return resourceNames;
}
