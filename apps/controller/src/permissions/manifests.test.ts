import { readdirSync, readFileSync } from "node:fs";
import { CONTROLLER_NAMES } from "@cloudwright/core/model/controller-names";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { DEFAULT_NAMES, grantsOf, PART_NAMES, processParts, workParts } from "./grants.ts";
import { chartRoles, roleManifests } from "./manifests.ts";
import { rightsOf, rightText } from "./review-rights.ts";

const FOLDER = new URL("../../../../deploy/rbac/", import.meta.url);

it("deploy/rbac contains the rights that this release needs", () => {
  // If this fails after a change of grants, run `node scripts/write-role-manifests.mjs` once the bundle is built.
  for (const [name, text] of roleManifests()) {
    expect(readFileSync(new URL(name, FOLDER), "utf8")).toBe(text);
  }
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".yaml") && !name.endsWith("kustomization.yaml"),
  );
  expect(new Set(files)).toEqual(new Set(roleManifests().keys()));
});

it("the Helm chart makes its roles from the same rules", () => {
  const file = new URL("../chart/files/roles.yaml", FOLDER);
  expect(readFileSync(file, "utf8")).toBe(chartRoles());
});

it("the kustomizations name every part, with those of other set-ups as comments", () => {
  const text = readFileSync(new URL("kustomization.yaml", FOLDER), "utf8");
  for (const path of roleManifests().keys()) {
    const [file, folder] = path.split("/").toReversed();
    expect(text).toContain(`- ${folder ?? file}`);
    if (folder === undefined) continue;
    const component = new URL(`${folder}/kustomization.yaml`, FOLDER);
    expect((parse(readFileSync(component, "utf8")) as { resources: string[] }).resources).toEqual([
      file,
    ]);
  }
  expect((parse(text) as { resources: string[] }).resources).toContain("process.yaml");
});

it("one identity for everything that is on by default needs exactly these rights", () => {
  const parts = processParts({
    controllers: [
      "cloud-node-controller",
      "cloud-node-lifecycle-controller",
      "service-lb-controller",
      "node-route-controller",
    ],
    elects: true,
    dryRun: false,
    watchesEvents: false,
    ownIdentities: false,
  });
  const places = { ...DEFAULT_NAMES, leases: ["cloud-controller-manager"] };
  expect(rightsOf(parts.flatMap((part) => grantsOf(part, places))).map(rightText)).toEqual([
    "get namespaces/kube-system",
    "list nodes",
    "watch nodes",
    "create leases in kube-system",
    "get leases/cloud-controller-manager in kube-system",
    "update leases/cloud-controller-manager in kube-system",
    "list leases/cloud-controller-manager in kube-system",
    "watch leases/cloud-controller-manager in kube-system",
    "list services",
    "watch services",
    "create events",
    "patch events",
    "create configmaps in kube-system",
    "get configmaps/cloudwright-controls in kube-system",
    "update configmaps/cloudwright-controls in kube-system",
    "update nodes",
    "patch nodes",
    "patch nodes/status",
    "delete nodes",
    "patch services/status",
  ]);
});

it("a dry run needs only reads, and its Lease", () => {
  const parts = processParts({
    controllers: CONTROLLER_NAMES,
    elects: true,
    dryRun: true,
    watchesEvents: false,
    ownIdentities: false,
  });
  const writes = rightsOf(parts.flatMap((part) => grantsOf(part, DEFAULT_NAMES)))
    .filter(
      ({ verb, resource }) => !["get", "list", "watch"].includes(verb) && resource !== "leases",
    )
    .map(rightText);
  expect(writes).toEqual([]);
});

it("with controllers' own identities, the process keeps reads, records and tokens of their accounts", () => {
  const parts = processParts({
    controllers: CONTROLLER_NAMES,
    elects: true,
    dryRun: false,
    watchesEvents: false,
    ownIdentities: true,
  });
  expect(parts).toContain("controller-identities");
  for (const controller of CONTROLLER_NAMES) {
    const [, work] = workParts(controller);
    expect(parts).not.toContain(work);
  }
});

it("the documentation explains what each right is for", () => {
  const text = readFileSync(new URL("../../../../docs/permissions.md", import.meta.url), "utf8");
  const documented = rightsByPart(text);
  for (const part of PART_NAMES) {
    const rights = rightsOf(grantsOf(part, DEFAULT_NAMES)).map(
      ({ verb, resource }) => `${verb} ${resource}`,
    );
    expect(documented.get(part)).toEqual(new Set(rights));
  }
});

/** Reads the table's rows; an empty first column means the same part as in the row above. */
function rightsByPart(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const rights = new Map<string, Set<string>>();
  let part = "";
  for (const line of text.split("\n")) {
    const [, first = "", right = ""] = line.split("|").map((cell) => cell.trim());
    const [, verb, resource] = /^(\w+) `([^`]+)`/.exec(right) ?? [];
    if (first !== "") part = first.replaceAll("`", "");
    if (verb === undefined || resource === undefined) continue;
    // The name of an object follows its resource, except for subresources.
    const plural = RESOURCE_WITH_NAME.has(resource) ? resource.split("/")[0] : resource;
    rights.set(part, (rights.get(part) ?? new Set()).add(`${verb} ${plural}`));
  }
  return rights;
}

const RESOURCE_WITH_NAME: ReadonlySet<string> = new Set([
  "namespaces/kube-system",
  "configmaps/cloudwright-controls",
  "configmaps/extension-apiserver-authentication",
]);

it("each part says what does not work without it", () => {
  for (const part of PART_NAMES) {
    for (const { without } of grantsOf(part, DEFAULT_NAMES))
      expect(without).toMatch(/^[a-z].*[^.]$/);
  }
});
