import type { Grant } from "@cloudwright/core/controllers/controller-module";
import type { KubeClient, KubeObject, Resource } from "@cloudwright/core/kube/client";
import { z } from "zod";

/** What an identity may do in a namespace, as reported by a SelfSubjectRulesReview. */
export interface ReviewedRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/**
 * Returns the rights that the client's identity lacks. One rules review per namespace covers what is granted; rights that it does
 * not show are reviewed separately, as it may be incomplete. Needs only system:basic-user, which every user has. Throws
 * KubeError.
 */
export async function missingRights(
  client: Pick<KubeClient, "create">,
  rights: readonly Right[],
): Promise<readonly Right[]> {
  const places = [...new Set(rights.map(placeOf))];
  const answers = await Promise.all(places.map((place) => rulesIn(client, place)));
  const rules = new Map(places.map((place, index) => [place, answers[index] ?? []]));
  const unseen = rights.filter((right) => !isCovered(rules.get(placeOf(right)) ?? [], right));
  const isAllowed = await Promise.all(unseen.map((right) => mayDo(client, right)));
  return unseen.filter((_, index) => isAllowed[index] === false);
}

/** Returns the rights that a service account lacks, reviewing them one by one. Needs create on subjectaccessreviews. Throws KubeError. */
export async function missingRightsOf(
  client: Pick<KubeClient, "create">,
  account: { readonly namespace: string; readonly name: string },
  rights: readonly Right[],
): Promise<readonly Right[]> {
  const { namespace, name } = account;
  const subject = {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      "system:serviceaccounts",
      `system:serviceaccounts:${namespace}`,
      "system:authenticated",
    ],
  };
  const isAllowed = await Promise.all(rights.map((right) => mayDo(client, right, subject)));
  return rights.filter((_, index) => isAllowed[index] === false);
}

/** Reports whether one of the rules grants the right, interpreting `*` and subresources as RBAC does. */
export function isCovered(rules: readonly ReviewedRule[], right: Right): boolean {
  return rules.some(
    ({ verbs, apiGroups, resources, resourceNames }) =>
      has(verbs, right.verb) &&
      has(apiGroups, right.group) &&
      hasResource(resources, right.resource) &&
      (resourceNames.length === 0 ||
        (right.name !== undefined && resourceNames.includes(right.name))),
  );
}

/** In a namespace that does not exist, the rules are only those of the whole cluster. */
const NO_NAMESPACE = "cloudwright-has-no-namespace";

function placeOf({ namespace }: Right): string {
  return namespace ?? NO_NAMESPACE;
}

function has(granted: readonly string[], wanted: string): boolean {
  return granted.includes("*") || granted.includes(wanted);
}

function hasResource(granted: readonly string[], wanted: string): boolean {
  const [, subresource] = wanted.split("/");
  return (
    has(granted, wanted) || (subresource !== undefined && granted.includes(`*/${subresource}`))
  );
}

const REVIEW_TIMEOUT_MS = 10_000;

/**
 * Posts a review and returns the API server's answer; the group says whether it is about authentication or authorization. Throws
 * KubeError.
 */
export function review(
  client: Pick<KubeClient, "create">,
  group: "authentication.k8s.io" | "authorization.k8s.io",
  { kind, spec }: { readonly kind: string; readonly spec: object },
): Promise<unknown> {
  const plural = `${kind.toLowerCase()}s`;
  const resource: Resource = { group, version: "v1", plural, namespaced: false };
  const object: Review = { apiVersion: `${group}/v1`, kind, spec };
  return client.create({ resource }, object, { timeoutMs: REVIEW_TIMEOUT_MS });
}

const words = z
  .array(z.string())
  .nullish()
  .transform((items) => items ?? []);
const rulesAnswer = z.object({
  status: z.object({
    resourceRules: z
      .array(z.object({ verbs: words, apiGroups: words, resources: words, resourceNames: words }))
      .nullish(),
  }),
});
const accessAnswer = z.object({ status: z.object({ allowed: z.boolean().default(false) }) });

interface Review extends KubeObject {
  readonly spec: object;
}

async function rulesIn(
  client: Pick<KubeClient, "create">,
  namespace: string,
): Promise<readonly ReviewedRule[]> {
  const answer = await review(client, "authorization.k8s.io", {
    kind: "SelfSubjectRulesReview",
    spec: { namespace },
  });
  return rulesAnswer.parse(answer).status.resourceRules ?? [];
}

/** Reviews the client's own identity unless an account is given. */
async function mayDo(
  client: Pick<KubeClient, "create">,
  right: Right,
  subject?: { readonly user: string; readonly groups: readonly string[] },
): Promise<boolean> {
  const [resource, subresource] = right.resource.split("/");
  const { verb, group, namespace, name } = right;
  const resourceAttributes = { verb, group, resource, subresource, namespace, name };
  const answer = await review(client, "authorization.k8s.io", {
    kind: subject === undefined ? "SelfSubjectAccessReview" : "SubjectAccessReview",
    spec: { ...subject, resourceAttributes },
  });
  return accessAnswer.parse(answer).status.allowed;
}

/** One verb on one resource in one place, which the API server can review. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** Plural, with the subresource: `nodes/status`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  /** What does not work without it. */
  readonly without: string;
}

/** Returns the individual rights of grants, each once. */
export function rightsOf(grants: readonly Grant[]): readonly Right[] {
  const rights = new Map<string, Right>();
  for (const right of grants.flatMap(singleRights)) {
    const text = rightText(right);
    if (!rights.has(text)) rights.set(text, right);
  }
  return [...rights.values()];
}

/** Formats a right: `patch nodes/status`, `update leases/cloud-controller-manager in kube-system`. */
export function rightText({ verb, resource, namespace, name }: Right): string {
  const object = name === undefined ? resource : `${resource}/${name}`;
  return `${verb} ${object}${namespace === undefined ? "" : ` in ${namespace}`}`;
}

function singleRights({ verbs, names, ...rest }: Grant): readonly Right[] {
  return verbs.flatMap((verb) =>
    names === undefined
      ? [{ verb, ...rest }]
      : names.map((name): Right => ({ verb, name, ...rest })),
  );
}
