import {
  type Binding,
  clusterRoleBindings,
  clusterRoles,
  type Role,
  roleBindings,
  roles,
} from "../resources/rbac.ts";
import type { ObjectStore } from "../state/object-store.ts";
import {
  type Attempt,
  type Authorizer,
  EVERYTHING,
  type Grant,
  isPublic,
  type Subject,
} from "./authorizer.ts";
import { bootstrapRules } from "./bootstrap-roles.ts";
import { isAnonymous } from "./user.ts";

/** What upstream's default roles grant to every known user: discovery, and reviews of their own access. */
const BASIC_RULES: readonly Grant[] = [
  {
    verbs: ["get"],
    nonResourceURLs: ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"],
  },
  {
    verbs: ["create"],
    apiGroups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
  },
  { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
];

/** Decides by the roles and bindings in the store; members of system:masters may do everything. */
export function rbacAuthorizer(store: ObjectStore): Authorizer {
  const isMaster = (user: Subject) => user.groups.includes("system:masters");
  return {
    allows: (user, attempt) => {
      if (isPublic(attempt) || isMaster(user)) return true;
      const namespace = attempt.kind === "resource" ? attempt.namespace : undefined;
      return rulesFor(store, user, namespace).some((rule) => allows(rule, attempt));
    },
    grants: (user, namespace) => [
      ...(isMaster(user) ? EVERYTHING : []),
      ...rulesFor(store, user, namespace),
    ],
  };
}

function rulesFor(
  store: ObjectStore,
  user: Subject,
  namespace: string | undefined,
): readonly Grant[] {
  const clusterWide = bindingsIn(store, clusterRoleBindings.storage, "");
  const local =
    namespace === undefined ? [] : bindingsIn(store, roleBindings.storage, `${namespace}/`);
  const bound = [...clusterWide, ...local]
    .filter((binding) => (binding.subjects ?? []).some((subject) => isSame(subject, user)))
    .flatMap((binding) => roleOf(store, binding)?.rules ?? []);
  if (isAnonymous(user)) return bound;
  return [...BASIC_RULES, ...bootstrapRules(user.username), ...bound];
}

function bindingsIn(store: ObjectStore, storage: string, prefix: string): readonly Binding[] {
  // These two storages hold only bindings decoded by their schema.
  return store.list({ storage, prefix }).revisions.map(({ object }) => object as Binding);
}

function roleOf(store: ObjectStore, { metadata, roleRef }: Binding): Role | undefined {
  const found =
    roleRef.kind === "ClusterRole"
      ? store.get(clusterRoles.storage, roleRef.name)
      : store.get(roles.storage, `${metadata.namespace ?? ""}/${roleRef.name}`);
  // These two storages hold only roles decoded by their schema.
  return found?.object as Role | undefined;
}

type BoundSubject = NonNullable<Binding["subjects"]>[number];

function isSame({ kind, name, namespace = "" }: BoundSubject, user: Subject): boolean {
  switch (kind) {
    case "User":
      return user.username === name;
    case "Group":
      return user.groups.includes(name);
    case "ServiceAccount":
      return user.username === `system:serviceaccount:${namespace}:${name}`;
    default:
      return false;
  }
}

function allows(rule: Grant, attempt: Attempt): boolean {
  if (!covers(rule.verbs, attempt.verb)) return false;
  if (attempt.kind === "path") {
    return (rule.nonResourceURLs ?? []).some((pattern) => fitsPath(pattern, attempt.path));
  }
  return (
    covers(rule.apiGroups, attempt.group) &&
    coversResource(rule.resources ?? [], attempt.resource) &&
    coversName(rule.resourceNames ?? [], attempt.name)
  );
}

function covers(allowed: readonly string[] | undefined, wanted: string): boolean {
  return (allowed ?? []).some((item) => item === "*" || item === wanted);
}

function coversResource(allowed: readonly string[], wanted: string): boolean {
  const subresource = wanted.includes("/") ? `*/${wanted.slice(wanted.indexOf("/") + 1)}` : wanted;
  return allowed.some((item) => item === "*" || item === wanted || item === subresource);
}

function coversName(allowed: readonly string[], wanted: string | undefined): boolean {
  return allowed.length === 0 || (wanted !== undefined && allowed.includes(wanted));
}

function fitsPath(pattern: string, path: string): boolean {
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}
