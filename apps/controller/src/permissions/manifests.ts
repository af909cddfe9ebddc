import type { Grant } from "@cloudwright/core/controllers/controller-module";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { stringify } from "yaml";
import { MODULES } from "../modules.ts";
import { cachePartOf, DEFAULT_NAMES, grantsOf, PART_NAMES, type PartName } from "./grants.ts";
import { workParts } from "./needed-parts.ts";

/** The service account that the shipped roles are bound to. */
const SUBJECT = {
  kind: "ServiceAccount",
  name: "cloud-controller-manager",
  namespace: "kube-system",
};
const API_GROUP = "rbac.authorization.k8s.io";
const API_VERSION = `${API_GROUP}/v1`;

/** Every role file of `deploy/rbac` by its path there. */
export function roleManifests(): ReadonlyMap<string, string> {
  return new Map(PART_NAMES.map((part) => [fileOf(part), manifestOf(part)]));
}

/** A kustomize component holds its own files: kustomize reads none above it. */
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
 * Upstream's clusters know roles for all the others' service accounts (spec/00 §15), and none for ours. A role that has its
 * own file beside this one is bound, and not made again: kustomize takes no object twice.
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
  const grants = grantsOf(part, DEFAULT_NAMES);
  const namespaces = [...new Set(grants.map(({ namespace }) => namespace))];
  return namespaces.flatMap((namespace) => {
    const here = grants.filter((grant) => grant.namespace === namespace);
    const metadata = (name: string) => ({
      name: `cloudwright:${name}`,
      ...(namespace === undefined ? {} : { namespace }),
    });
    const kind = namespace === undefined ? "ClusterRole" : "Role";
    return [
      { apiVersion: API_VERSION, kind, metadata: metadata(part), rules: here.map(ruleOf) },
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
      return `The mirror of ${permissions.cache.of} for ${name}.`;
    }
  }
  return HEADINGS[part] ?? part;
}

const HEADINGS: Readonly<Record<string, string>> = {
  process:
    "What every controller process needs: the cluster's identity and the mirror of its nodes.",
  events: "Kubernetes Events: what happened, where people look.",
  "leader-election":
    "The Leases by which replicas agree who works. Not needed with --leader-elect=false.",
  "control-record":
    "The ConfigMap with pauses, the deletion guard's window and releases, orphans, and the audit chain's head.",
  "https-authentication":
    "Who calls the HTTPS port. For the identity of --authentication-kubeconfig.",
  "https-authorization":
    "What callers of the HTTPS port may read. For the identity of --authorization-kubeconfig.",
  "controller-identities":
    "For --use-service-account-credentials alone: the service accounts that the controllers work as.",
};
