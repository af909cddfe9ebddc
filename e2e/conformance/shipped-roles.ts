import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Kube, KubeObject } from "../harness/kube.ts";
import { PROJECT_ROOT } from "../harness/processes.ts";
import { demand, eventually } from "../harness/wait.ts";
import { type Account, accountKubeconfig, ignoreExisting, type Rule } from "./accounts.ts";

/** Whom the roles of `deploy/rbac` are bound to. */
const SHIPPED: Account = { namespace: "kube-system", name: "cloud-controller-manager" };
export const SHIPPED_USER = `system:serviceaccount:${SHIPPED.namespace}:${SHIPPED.name}`;

export interface Role extends KubeObject {
  rules: Rule[];
}

interface Binding extends KubeObject {
  roleRef: { name: string };
  subjects: { kind: string; name: string; namespace: string }[];
}

/** One file of `deploy/rbac`, read. */
export interface RoleFile {
  /** Without its ending. */
  readonly part: string;
  readonly objects: readonly KubeObject[];
}

export function shippedRoles(): readonly RoleFile[] {
  const folder = join(PROJECT_ROOT, "deploy", "rbac");
  return readdirSync(folder)
    .filter((file) => file !== "kustomization.yaml")
    .map((file) => ({
      part: file.replace(".yaml", ""),
      objects: parseAllDocuments(readFileSync(join(folder, file), "utf8")).map(
        (document) => document.toJS() as KubeObject,
      ),
    }));
}

export function isRole(object: KubeObject): object is Role {
  return object.kind === "Role" || object.kind === "ClusterRole";
}

/** A kubeconfig of the service account that the manifests name, with their roles and nothing else. */
export async function shippedKubeconfig(
  kube: Kube,
  where: { readonly kubeconfig: string; readonly dir: string },
): Promise<string> {
  const objects = shippedRoles().flatMap((file) => file.objects);
  const kubeconfig = await accountKubeconfig(kube, SHIPPED, where);
  await applyRoles(kube, objects);
  return kubeconfig;
}

/** Grants an account what the roles say after the change, under names of its own; for what a removed rule does. */
export async function grantChanged(
  kube: Kube,
  account: Account,
  change: (role: Role) => Rule[],
): Promise<void> {
  const renamed = shippedRoles().flatMap(({ objects }) =>
    objects.map((object) => {
      const copy = structuredClone(object);
      copy.metadata.name = `${account.name}:${copy.metadata.name}`;
      if (isRole(copy)) return { ...copy, rules: change(copy) };
      const binding = copy as Binding;
      binding.roleRef.name = `${account.name}:${binding.roleRef.name}`;
      binding.subjects = [{ kind: "ServiceAccount", ...account }];
      return binding;
    }),
  );
  await applyRoles(kube, renamed);
}

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

async function applyRoles(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const { namespace } = object.metadata;
    const place = namespace === undefined ? "" : `/namespaces/${namespace}`;
    const collection = `${object.kind?.toLowerCase()}s`;
    await ignoreExisting(kube.create(`${RBAC}${place}/${collection}`, object));
  }
}

/** API servers take a moment to see new roles. */
export async function inForce(asAccount: Kube, path: string): Promise<void> {
  await eventually(async () => {
    const answer = await asAccount.raw(path);
    demand(!answer.includes('"Forbidden"'), `the roles are not in force: ${answer}`);
  });
}
