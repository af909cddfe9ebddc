import type { Grant } from "@cloudwright/core/controllers/controller-module";
import type { KubeClient, KubeObject, Resource } from "@cloudwright/core/kube/client";
import { z } from "zod";

/** What an identity may do somewhere, as a SelfSubjectRulesReview reports it. */
export interface ReviewedRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/**
 * Those of the rights that the client's identity lacks. One review of rules a namespace answers for what is granted; what
 * they do not show is asked for by itself, as they may be incomplete. Needs no right but system:basic-user's, which everybody
 * has. Throws KubeError.
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

/**
 * Those of the rights that a service account lacks, asked for one by one. Needs create on subjectaccessreviews. Throws KubeError.
 */
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

/** Whether one of the rules grants the right, by RBAC's own reading of `*` and of subresources. */
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

/** In a namespace that nobody has, rules are those of the whole cluster, and not some namespace's own beside them. */
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

/** What an API server answers to a review, of which the group says whether it is about who somebody is or what they may do. Throws KubeError. */
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

/** Of the client's own identity unless somebody else is named. */
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

/** One verb on one resource in one place: what the API server can be asked about. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** Plural, with its subresource: `nodes/status`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  /** What does not work without it. */
  readonly without: string;
}

/** The single rights of grants, each once. */
export function rightsOf(grants: readonly Grant[]): readonly Right[] {
  const rights = new Map<string, Right>();
  for (const right of grants.flatMap(singleRights)) {
    const text = rightText(right);
    if (!rights.has(text)) rights.set(text, right);
  }
  return [...rights.values()];
}

/** `patch nodes/status`, `update leases/cloud-controller-manager in kube-system`. */
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
