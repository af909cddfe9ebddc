import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Kube, KubeObject } from "../../harness/kube.ts";
import { PROJECT_ROOT } from "../../harness/processes.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { type Account, accountUser, ignoreExisting, type Rule } from "./accounts.ts";

/** The account to which the roles of `deploy/rbac` are bound. */
export const SHIPPED: Account = { namespace: "kube-system", name: "cloud-controller-manager" };
/** The namespace of rows' own accounts with the shipped roles. */
export const SHIPPED_ACCOUNTS = "conformance-shipped";

/** Reports whether this is a user to whom the shipped roles have to allow every request of a controller. */
export function isShippedUser(user: string): boolean {
  return (
    user === accountUser(SHIPPED.name, SHIPPED.namespace) ||
    user.startsWith(accountUser("", SHIPPED_ACCOUNTS))
  );
}

export interface Role extends KubeObject {
  rules: Rule[];
}

interface Binding extends KubeObject {
  roleRef: { kind: string; name: string };
  subjects: Account[];
}

/** A parsed file of `deploy/rbac`. */
export interface RoleFile {
  /** The file name without its extension. */
  readonly part: string;
  readonly objects: readonly KubeObject[];
}

function shippedRoles(): readonly RoleFile[] {
  const folder = join(PROJECT_ROOT, "deploy", "rbac");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml") && basename(file) !== "kustomization.yaml")
    .map((file) => ({
      part: basename(file, ".yaml"),
      objects: parseAllDocuments(readFileSync(join(folder, file), "utf8")).map(
        (document) => document.toJS() as KubeObject,
      ),
    }));
}

function isRole(object: KubeObject): object is Role {
  return object.kind === "Role" || object.kind === "ClusterRole";
}

function isBinding(object: KubeObject): object is Binding {
  return !isRole(object);
}

/** One verb of one rule, granted by one file to one account. */
export interface ShippedRight {
  readonly part: string;
  /** The service account of a controller; undefined for that of the process. */
  readonly identity: string | undefined;
  /** The rule with only that verb. */
  readonly rule: Rule;
}

/** Returns all of them; a role in another file counts for each file that binds it. */
export function shippedRights(): readonly ShippedRight[] {
  const files = shippedRoles();
  const roles = files.flatMap(({ objects }) => objects.filter(isRole));
  return files.flatMap(({ part, objects }) =>
    objects.filter(isBinding).flatMap((binding) => {
      const role = roles.find((each) => isBoundBy(each, binding));
      const identities = binding.subjects.map((subject) =>
        isShipped(subject) ? undefined : subject.name,
      );
      const single = (role?.rules ?? []).flatMap((rule) =>
        rule.verbs.map((verb) => ({ ...rule, verbs: [verb] })),
      );
      return identities.flatMap((identity) => single.map((rule) => ({ part, identity, rule })));
    }),
  );
}

function isBoundBy({ kind, metadata }: Role, { roleRef, metadata: of }: Binding): boolean {
  return (
    kind === roleRef.kind && metadata.name === roleRef.name && metadata.namespace === of.namespace
  );
}

/** A verb on a resource, with its subresource. */
export interface NamedRight {
  readonly verb: string;
  readonly resource: string;
  /** The name of the only object; if absent, all objects that a rule names. */
  readonly name?: string;
}

/** Parses `patch nodes/status` or `get leases/cloudwright-shadow`. Returns undefined for a right that is not shipped. */
export function namedRight(text: string): NamedRight | undefined {
  const [verb = "", object = ""] = text.split(" ");
  const slash = object.lastIndexOf("/");
  const named = { verb, resource: object.slice(0, slash), name: object.slice(slash + 1) };
  return [{ verb, resource: object }, named].find(isShippedRight);
}

function isShippedRight(right: NamedRight): boolean {
  return shippedRights().some(({ rule }) => grants(rule, right));
}

/** Returns a role's rules without that verb on that resource, or on that one object. */
export function rulesWithout({ rules }: Role, right: NamedRight): Rule[] {
  return rules.flatMap((rule) => (grants(rule, right) ? ruleWithout(rule, right) : [rule]));
}

function grants(rule: Rule, { verb, resource, name }: NamedRight): boolean {
  const isNamed = name === undefined || rule.resourceNames?.includes(name) === true;
  return isNamed && rule.verbs.includes(verb) && rule.resources?.includes(resource) === true;
}

/** Without a verb a rule grants nothing, but without names it would grant every object. */
function ruleWithout(rule: Rule, { verb, name }: NamedRight): Rule[] {
  const verbs = rule.verbs.filter((each) => each !== verb);
  const others = rule.resourceNames?.filter((each) => each !== name) ?? [];
  const ofOthers = name === undefined || others.length === 0 ? [] : [verb];
  return [
    { ...rule, verbs },
    { ...rule, verbs: ofOthers, resourceNames: others },
  ].filter((left) => left.verbs.length > 0);
}

/** The part of `deploy/rbac` granted to an account, with differences from the files. */
export interface Grant {
  readonly account: Account;
  /** The files; all of them if absent. */
  readonly parts?: readonly string[];
  /** Names of Leases besides those in the files: operators who rename a Lease adapt the roles (docs/install.md). */
  readonly leases?: readonly string[];
  /** Replaces kube-system for the Leases and the control record, for the same reason. */
  readonly electionNamespace?: string;
  /** Whether the service accounts of controllers are granted their files' rights. */
  readonly controllers?: boolean;
  /** Returns the rules that are left of a role. */
  readonly change?: (role: Role) => Rule[];
}

/** Grants the roles, and resolves when the API server applies them; returns a function that revokes them. */
export async function grantShipped(kube: Kube, grant: Grant): Promise<() => Promise<void>> {
  const { parts, controllers = false } = grant;
  const objects = shippedRoles()
    .filter(({ part }) => parts === undefined || parts.includes(part))
    .flatMap((file) =>
      file.objects
        .filter((object) => controllers || !isBinding(object) || object.subjects.every(isShipped))
        .map((object) => fitted(object, file.part, grant)),
    );
  await createGrants(kube, objects);
  return async () => {
    for (const object of objects) {
      const path = `${collectionOf(object)}/${object.metadata.name}`;
      await kube.delete(path).catch(() => undefined);
    }
  };
}

/** Creates roles and bindings, and resolves when the API server applies them. */
export async function createGrants(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await ignoreExisting(kube.create(collectionOf(object), object));
  await inForce(kube, objects);
}

const ELECTION_PARTS: ReadonlySet<string> = new Set(["leader-election", "control-record"]);

function fitted(object: KubeObject, part: string, grant: Grant): KubeObject {
  const { account, electionNamespace, change = ({ rules }: Role) => rules } = grant;
  const name = (shipped: string) => (isShipped(account) ? shipped : `${account.name}:${shipped}`);
  const copy = structuredClone(object);
  copy.metadata.name = name(copy.metadata.name);
  if (electionNamespace !== undefined && ELECTION_PARTS.has(part))
    copy.metadata.namespace = electionNamespace;
  if (isRole(copy)) {
    copy.rules = change(copy).map((rule) => withLeases(rule, grant.leases ?? []));
  } else if (isBinding(copy)) {
    copy.roleRef.name = name(copy.roleRef.name);
    copy.subjects = copy.subjects.map((subject) =>
      isShipped(subject) ? { ...subject, ...account } : subject,
    );
  }
  return copy;
}

function isShipped({ namespace, name }: Account): boolean {
  return namespace === SHIPPED.namespace && name === SHIPPED.name;
}

function withLeases(rule: Rule, leases: readonly string[]): Rule {
  if (rule.resources?.includes("leases") !== true || rule.resourceNames === undefined) return rule;
  return { ...rule, resourceNames: [...rule.resourceNames, ...leases] };
}

function collectionOf({ kind, metadata: { namespace } }: KubeObject): string {
  const place = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `/apis/rbac.authorization.k8s.io/v1${place}/${kind?.toLowerCase()}s`;
}

/** API servers take a moment to apply new roles. An administrator checks for that, as a refusal would stay on the record. */
async function inForce(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  const roles = objects.filter(isRole);
  const checks = objects.filter(isBinding).map(async ({ roleRef, subjects, metadata }) => {
    const role = roles.find(
      ({ kind, metadata: of }) =>
        kind === roleRef.kind && of.name === roleRef.name && of.namespace === metadata.namespace,
    );
    const rule = role?.rules[0];
    for (const subject of subjects)
      if (rule !== undefined)
        await isAllowed(kube, { subject, rule, namespace: metadata.namespace });
  });
  await Promise.all(checks);
}

interface Question {
  readonly subject: Account;
  readonly rule: Rule;
  readonly namespace: string | undefined;
}

async function isAllowed(kube: Kube, { subject, rule, namespace }: Question): Promise<void> {
  const [resource, subresource] = (rule.resources?.[0] ?? "").split("/");
  const user = accountUser(subject.name, subject.namespace);
  const resourceAttributes = {
    verb: rule.verbs[0],
    group: rule.apiGroups?.[0],
    resource,
    subresource,
    name: rule.resourceNames?.at(-1),
    namespace,
  };
  await eventually(async () => {
    const review = await kube.create<KubeObject & { status: { allowed: boolean } }>(
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user, resourceAttributes },
      },
    );
    const what = JSON.stringify(resourceAttributes);
    demand(review.status.allowed, `the roles of ${user} are not in force: ${what}`);
  });
}
