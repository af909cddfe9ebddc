import type { Grant } from "@cloudwright/core/controllers/controller-module";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { stringify } from "yaml";
import { MODULES } from "../modules.ts";
import {
  cachePartOf,
  DEFAULT_NAMES,
  grantsOf,
  PART_NAMES,
  type PartName,
  partsOf,
  workParts,
} from "./grants.ts";

/** The service account that the shipped roles are bound to. */
const SUBJECT = {
  kind: "ServiceAccount",
  name: "cloud-controller-manager",
  namespace: "kube-system",
};
const API_GROUP = "rbac.authorization.k8s.io";
const API_VERSION = `${API_GROUP}/v1`;

/** Returns every role file of `deploy/rbac` by its path there. */
export function roleManifests(): ReadonlyMap<string, string> {
  return new Map(PART_NAMES.map((part) => [fileOf(part), manifestOf(part)]));
}

/**
 * Returns the same rules for the Helm chart, by part, with the facts about each controller from which it chooses the parts of
 * those that it runs.
 */
export function chartRoles(): string {
  const parts = PART_NAMES.map((part) => [
    part,
    scopesOf(part).map(({ namespace, rules }) => ({ namespace: namespace ?? "", rules })),
  ]);
  const controllers = MODULES.map(({ name, needs, permissions }) => {
    const { aliases, enabledByDefault, serviceAccount } = controllerOf(name);
    return {
      ...{ name, aliases, serviceAccount, enabledByDefault, parts: partsOf({ permissions }) },
      flag: needs.flag ?? "",
      isOnByFlag: needs.isOnByFlag === true,
      ownIdentity: permissions.ownIdentity === true,
    };
  });
  const heading = "# Written by scripts/write-role-manifests.mjs.\n";
  const roles = { parts: Object.fromEntries(parts), controllers };
  return heading + stringify(roles, { aliasDuplicateObjects: false });
}

/** Each kustomize component contains its own files: kustomize reads nothing above its folder. */
function fileOf(part: PartName): string {
  const folder = part === "controller-identities" ? "service-account-credentials/" : "";
  return `${folder}${part}.yaml`;
}

function manifestOf(part: PartName): string {
  const documents = [
    ...rolesOf(part, SUBJECT),
    ...(part === "controller-identities" ? ownIdentities() : []),
  ];
  const heading = [`# ${headingOf(part)}`, "# Written by scripts/write-role-manifests.mjs."];
  return `${heading.join("\n")}\n${documents.map((object) => stringify(object, { aliasDuplicateObjects: false })).join("---\n")}`;
}

/**
 * Upstream clusters come with roles for the service accounts of the other controllers (spec/00 §15), but not for ours. A role
 * that has its own file next to this one is bound but not created again: kustomize rejects duplicates.
 */
function ownIdentities(): readonly object[] {
  const own = MODULES.filter(({ permissions }) => permissions.ownIdentity === true);
  return own.flatMap(({ name: controller }) => {
    const name = controllerOf(controller).serviceAccount;
    return workParts(controller).flatMap((part) => {
      const objects = rolesOf(part, { ...SUBJECT, name }, `${name}:${part}`);
      return part === "events" ? objects.slice(1) : objects;
    });
  });
}

type Subject = typeof SUBJECT;

function rolesOf(part: PartName, subject: Subject, bindingName: string = part): readonly object[] {
  return scopesOf(part).flatMap(({ namespace, rules }) => {
    const metadata = (name: string) => ({
      name: `cloudwright:${name}`,
      ...(namespace === undefined ? {} : { namespace }),
    });
    const kind = namespace === undefined ? "ClusterRole" : "Role";
    return [
      { apiVersion: API_VERSION, kind, metadata: metadata(part), rules },
      {
        apiVersion: API_VERSION,
        kind: `${kind}Binding`,
        metadata: metadata(bindingName),
        roleRef: { apiGroup: API_GROUP, kind, name: `cloudwright:${part}` },
        subjects: [subject],
      },
    ];
  });
}

/** Splits the rules of a part into those of each namespace and those of the whole cluster. */
function scopesOf(part: PartName) {
  const grants = grantsOf(part, DEFAULT_NAMES);
  const namespaces = [...new Set(grants.map(({ namespace }) => namespace))];
  return namespaces.map((namespace) => ({
    namespace,
    rules: grants.filter((grant) => grant.namespace === namespace).map(ruleOf),
  }));
}

function ruleOf({ group, resource, verbs, names }: Grant): object {
  return {
    apiGroups: [group],
    resources: [resource],
    ...(names === undefined ? {} : { resourceNames: names }),
    verbs,
  };
}

function headingOf(part: PartName): string {
  for (const { name, permissions } of MODULES) {
    if (permissions.part === part) return `${name}. Not with --use-service-account-credentials.`;
    if (permissions.cache !== undefined && cachePartOf(permissions.part) === part) {
      return `The cache of ${permissions.cache.of} for ${name}.`;
    }
  }
  return HEADINGS[part] ?? part;
}

const HEADINGS: Readonly<Record<string, string>> = {
  process:
    "What every controller process needs: the cluster's identity and the cache of its nodes.",
  events: "Kubernetes Events, which report what happened.",
  "watched-events": "The Events of other components, for the dashboard. Only for --watch-events.",
  "leader-election":
    "The Leases with which replicas elect a leader. Not needed with --leader-elect=false.",
  "control-record":
    "The ConfigMap with pauses, settings, the deletion guard's window and releases, orphans, and the audit chain's head.",
  "https-authentication":
    "Authentication of callers of the HTTPS port. For the identity of --authentication-kubeconfig.",
  "https-authorization":
    "Authorization of callers of the HTTPS port. For the identity of --authorization-kubeconfig.",
  "controller-identities":
    "Only for --use-service-account-credentials: the service accounts that the controllers use.",
};
