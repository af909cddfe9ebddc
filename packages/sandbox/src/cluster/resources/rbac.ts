import { pathSegmentProblems } from "../rules/names.ts";
import { invalidValue, type Problem, ruleProblems } from "../rules/problem.ts";
import { always, anything, type Infer, list, struct, text } from "../schema/schema.ts";
import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { defineResource } from "./define-resource.ts";
import type { Column } from "./definition.ts";
import { objectMeta } from "./metadata.ts";

const GROUP = { group: "rbac.authorization.k8s.io", version: "v1", nameRule: pathSegmentProblems };

const rule = struct(
  "PolicyRule",
  {
    verbs: always(list(text)),
    apiGroups: list(text),
    resources: list(text),
    resourceNames: list(text),
    nonResourceURLs: list(text),
  },
  "verbs apiGroups resources resourceNames nonResourceURLs",
);
const subject = struct(
  "Subject",
  {
    kind: always(text),
    apiGroup: text,
    name: always(text),
    namespace: text,
  },
  "kind apiGroup name namespace",
);
const roleRef = struct(
  "RoleRef",
  {
    apiGroup: always(text),
    kind: always(text),
    name: always(text),
  },
  "apiGroup kind name",
);

const roleSchema = struct(
  "Role",
  { metadata: always(objectMeta), rules: always(list(rule)) },
  "metadata rules",
);
const clusterRoleSchema = struct(
  "ClusterRole",
  {
    metadata: always(objectMeta),
    rules: always(list(rule)),
    aggregationRule: anything,
  },
  "metadata rules",
);
const bindingFields = {
  metadata: always(objectMeta),
  subjects: list(subject),
  roleRef: always(roleRef),
};
const roleBindingSchema = struct("RoleBinding", bindingFields, "metadata subjects roleRef");
const clusterRoleBindingSchema = struct(
  "ClusterRoleBinding",
  bindingFields,
  "metadata subjects roleRef",
);

export type Role = Infer<typeof roleSchema>;
export type Binding = Infer<typeof roleBindingSchema>;

export const roles = defineResource(
  { ...GROUP, kind: "Role", plural: "roles", namespaced: true },
  { schema: roleSchema },
);

export const clusterRoles = defineResource(
  { ...GROUP, kind: "ClusterRole", plural: "clusterroles", namespaced: false },
  { schema: clusterRoleSchema },
);

const bindingColumns: readonly Column<Binding>[] = [
  nameColumn,
  ["Role", "The role that is bound.", ({ roleRef: { kind, name } }) => `${kind}/${name}`],
  ageColumn,
];
const bindingRules = {
  onCreate: withApiGroups,
  onUpdate: withApiGroups,
  problems: roleRefProblems,
  updateProblems: rebindingProblems,
  columns: bindingColumns,
};

export const roleBindings = defineResource(
  { ...GROUP, kind: "RoleBinding", plural: "rolebindings", namespaced: true },
  { schema: roleBindingSchema, rules: bindingRules },
);

export const clusterRoleBindings = defineResource(
  { ...GROUP, kind: "ClusterRoleBinding", plural: "clusterrolebindings", namespaced: false },
  { schema: clusterRoleBindingSchema, rules: bindingRules },
);

/** Fills in RBAC's own group for users, groups and the role, unless one is given. */
function withApiGroups(binding: Binding): Binding {
  const { roleRef, subjects } = binding;
  const named = (subjects ?? []).map((item) =>
    item.kind === "ServiceAccount" ? item : { ...item, apiGroup: item.apiGroup ?? GROUP.group },
  );
  return {
    ...binding,
    roleRef: { ...roleRef, apiGroup: roleRef.apiGroup || GROUP.group },
    ...(subjects === undefined ? {} : { subjects: named }),
  };
}

function roleRefProblems({ roleRef: { name } }: Binding): readonly Problem[] {
  return ruleProblems(pathSegmentProblems, "roleRef.name", name);
}

function rebindingProblems(binding: Binding, before: Binding): readonly Problem[] {
  const isSame = JSON.stringify(binding.roleRef) === JSON.stringify(before.roleRef);
  return isSame ? [] : [invalidValue("roleRef", binding.roleRef, "cannot change roleRef")];
}
