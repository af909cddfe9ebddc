import { objectMeta } from "../resources/metadata.ts";
import { boolean, integer, list, type StructSchema, struct, text } from "../schema/schema.ts";

const resourceAttributes = struct(
  "ResourceAttributes",
  {
    namespace: text,
    verb: text,
    group: text,
    version: text,
    resource: text,
    subresource: text,
    name: text,
  },
  "namespace verb group version resource subresource name",
);
const nonResourceAttributes = struct(
  "NonResourceAttributes",
  { path: text, verb: text },
  "path verb",
);
const ownAccessSpec = struct(
  "SelfSubjectAccessReviewSpec",
  { resourceAttributes, nonResourceAttributes },
  "resourceAttributes nonResourceAttributes",
);
const accessSpec = struct(
  "SubjectAccessReviewSpec",
  { resourceAttributes, nonResourceAttributes, user: text, groups: list(text), uid: text },
  "resourceAttributes nonResourceAttributes user groups - uid",
);
const tokenReviewSpec = struct(
  "TokenReviewSpec",
  { token: text, audiences: list(text) },
  "token audiences",
);
const boundObject = struct(
  "BoundObjectReference",
  { kind: text, apiVersion: text, name: text, uid: text },
  "kind apiVersion name uid",
);
const tokenRequestSpec = struct(
  "TokenRequestSpec",
  { audiences: list(text), expirationSeconds: integer, boundObjectRef: boundObject },
  "audiences - boundObjectRef expirationSeconds",
);
const rulesSpec = struct("SelfSubjectRulesReviewSpec", { namespace: text }, "namespace");
const preconditions = struct(
  "Preconditions",
  { uid: text, resourceVersion: text },
  "uid resourceVersion",
);

/** Bodies that are read but never stored; listed only so that they can be sent as protobuf. */
export const ONE_WAY_SCHEMAS: readonly StructSchema[] = [
  review("SelfSubjectAccessReview", ownAccessSpec),
  review("SubjectAccessReview", accessSpec),
  review("LocalSubjectAccessReview", accessSpec),
  review("SelfSubjectRulesReview", rulesSpec),
  review("SelfSubjectReview", struct("SelfSubjectReviewSpec", {})),
  review("TokenReview", tokenReviewSpec),
  review("TokenRequest", tokenRequestSpec),
  struct(
    "DeleteOptions",
    {
      gracePeriodSeconds: integer,
      preconditions,
      orphanDependents: boolean,
      propagationPolicy: text,
      dryRun: list(text),
    },
    "gracePeriodSeconds preconditions orphanDependents propagationPolicy dryRun",
  ),
];

function review(kind: string, spec: StructSchema): StructSchema {
  return struct(kind, { metadata: objectMeta, spec }, "metadata spec");
}
