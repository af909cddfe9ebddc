import { z } from "zod";
import type { Attempt } from "../auth/authorizer.ts";
import { DEFAULT_AUDIENCE } from "../auth/tokens.ts";
import { badRequest, invalid, noSuchResource } from "../http/api-error.ts";
import type { Call } from "../http/call.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import type { ResourcePath } from "../http/request-info.ts";
import { timestamp } from "../resources/cluster-state.ts";
import { invalidValue } from "../rules/problem.ts";

/** A query in the form of a resource: it can only be created, and nothing is stored. */
export interface ReviewDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly answer: (call: Call, spec: unknown) => object;
}

const AUTHENTICATION = { group: "authentication.k8s.io", version: "v1" };
const AUTHORIZATION = { group: "authorization.k8s.io", version: "v1" };
export const REVIEW_VERSIONS = [AUTHENTICATION, AUTHORIZATION];

export const REVIEWS: readonly ReviewDefinition[] = [
  {
    ...AUTHENTICATION,
    kind: "SelfSubjectReview",
    plural: "selfsubjectreviews",
    namespaced: false,
    answer: (call) => ({
      metadata: { creationTimestamp: timestamp({ now: () => call.services.registry.now() }) },
      status: { userInfo: call.user },
    }),
  },
  {
    ...AUTHENTICATION,
    kind: "TokenReview",
    plural: "tokenreviews",
    namespaced: false,
    answer: reviewToken,
  },
  {
    ...AUTHORIZATION,
    kind: "LocalSubjectAccessReview",
    plural: "localsubjectaccessreviews",
    namespaced: true,
    answer: reviewAccess,
  },
  {
    ...AUTHORIZATION,
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    namespaced: false,
    answer: reviewOwnAccess,
  },
  {
    ...AUTHORIZATION,
    kind: "SelfSubjectRulesReview",
    plural: "selfsubjectrulesreviews",
    namespaced: false,
    answer: reviewOwnRules,
  },
  {
    ...AUTHORIZATION,
    kind: "SubjectAccessReview",
    plural: "subjectaccessreviews",
    namespaced: false,
    answer: reviewAccess,
  },
];

export function findReview(path: ResourcePath): ReviewDefinition | undefined {
  return REVIEWS.find(
    ({ group, version, plural }) =>
      group === path.group && version === path.version && plural === path.plural,
  );
}

/** Answers a review. Throws ApiError 400, 404, 422. */
export function createReview(call: Call, review: ReviewDefinition, path: ResourcePath): Reply {
  if (path.name !== undefined || review.namespaced !== (path.namespace !== undefined)) {
    throw noSuchResource();
  }
  const { kind, group, version } = review;
  const body = bodySchema.safeParse(parse(call.body));
  if (!body.success) throw badRequest(`the ${kind} in the body cannot be read`);
  const { metadata = {}, spec = {} } = body.data;
  const apiVersion = `${group}/${version}`;
  return jsonReply(201, { kind, apiVersion, metadata, spec, ...review.answer(call, spec) });
}

const bodySchema = z.looseObject({
  metadata: z.looseObject({}).optional(),
  spec: z.looseObject({}).optional(),
});

function parse(body: string): unknown {
  try {
    return JSON.parse(body === "" ? "{}" : body);
  } catch {
    throw badRequest("the body of the review is not JSON");
  }
}

const tokenSchema = z.looseObject({
  token: z.string().default(""),
  audiences: z.array(z.string()).default([]),
});

function reviewToken(call: Call, spec: unknown): object {
  const { token, audiences } = tokenSchema.parse(spec);
  const user = token === "" ? undefined : call.services.tokens.authenticate(token);
  if (user === undefined) return { status: { user: {}, error: "invalid bearer token" } };
  const granted = audiences.length === 0 ? [DEFAULT_AUDIENCE] : audiences;
  return { status: { authenticated: true, user, audiences: granted } };
}

const accessSchema = z.looseObject({
  user: z.string().default(""),
  groups: z.array(z.string()).default([]),
  resourceAttributes: z
    .looseObject({
      namespace: z.string().optional(),
      verb: z.string().default(""),
      group: z.string().default(""),
      resource: z.string().default(""),
      subresource: z.string().optional(),
      name: z.string().optional(),
    })
    .optional(),
  nonResourceAttributes: z
    .looseObject({ path: z.string().default(""), verb: z.string().default("") })
    .optional(),
});

function reviewAccess(call: Call, spec: unknown): object {
  const { user, groups } = accessSchema.parse(spec);
  const attempt = readAttempt(spec);
  return {
    status: { allowed: call.services.authorizer.allows({ username: user, groups }, attempt) },
  };
}

function reviewOwnAccess(call: Call, spec: unknown): object {
  return { status: { allowed: call.services.authorizer.allows(call.user, readAttempt(spec)) } };
}

function readAttempt(spec: unknown): Attempt {
  const { resourceAttributes: resource, nonResourceAttributes: path } = accessSchema.parse(spec);
  if ((resource === undefined) === (path === undefined)) {
    throw invalid({ group: "authorization.k8s.io", kind: "", name: "" }, [
      invalidValue(
        "spec",
        null,
        "exactly one of nonResourceAttributes or resourceAttributes must be specified",
      ),
    ]);
  }
  if (path !== undefined) return { kind: "path", verb: path.verb, path: path.path };
  const { namespace, name, verb = "", group = "", subresource } = resource ?? {};
  const plural = resource?.resource ?? "";
  return {
    kind: "resource",
    verb,
    group,
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

const rulesSchema = z.looseObject({ namespace: z.string().default("default") });

function reviewOwnRules(call: Call, spec: unknown): object {
  const { namespace } = rulesSchema.parse(spec);
  const grants = call.services.authorizer.grants(call.user, namespace);
  return {
    status: {
      resourceRules: grants.filter(({ nonResourceURLs }) => nonResourceURLs === undefined),
      nonResourceRules: grants.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined),
      incomplete: false,
    },
  };
}
