import { parsedJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import type { AdmissionRequest, AdmissionVerdict } from "./webhook.ts";

const API_VERSION = "admission.k8s.io/v1";

const reviewSchema = z.looseObject({
  apiVersion: z.literal(API_VERSION),
  kind: z.literal("AdmissionReview"),
  request: z.looseObject({
    uid: z.string(),
    kind: z.object({ group: z.string(), version: z.string(), kind: z.string() }),
    operation: z.string(),
    object: z.unknown(),
  }),
});

export type ReadReview =
  | { readonly kind: "request"; readonly request: AdmissionRequest }
  | { readonly kind: "malformed"; readonly problem: string };

/** Parses the body that an API server posts. */
export function readReview(body: string): ReadReview {
  if (body === "") return malformed("the body is empty");
  const review = reviewSchema.safeParse(parsedJson(body));
  if (!review.success) {
    return malformed(`the body is not an AdmissionReview of ${API_VERSION} with a request`);
  }
  const { uid, kind, operation, object } = review.data.request;
  return { kind: "request", request: { uid, kind, operation, object } };
}

/** Returns the review that answers a request, as JSON. A refusal contains its sentence for the user. */
export function reviewText(
  { uid }: Pick<AdmissionRequest, "uid">,
  verdict: Exclude<AdmissionVerdict, { readonly kind: "malformed" }>,
): string {
  const response =
    verdict.kind === "refused"
      ? { uid, allowed: false, status: refusal(verdict.message) }
      : { uid, allowed: true, ...patchPart(verdict), ...warningsPart(verdict) };
  return JSON.stringify({ apiVersion: API_VERSION, kind: "AdmissionReview", response });
}

type Allowed = Extract<AdmissionVerdict, { readonly kind: "allowed" }>;

function patchPart({ patch }: Allowed): object {
  if (patch.length === 0) return {};
  const text = Buffer.from(JSON.stringify(patch), "utf8").toString("base64");
  return { patchType: "JSONPatch", patch: text };
}

function warningsPart({ warnings }: Allowed): object {
  return warnings.length === 0 ? {} : { warnings };
}

function refusal(message: string): object {
  return { status: "Failure", code: 403, reason: "Forbidden", message };
}

function malformed(problem: string): ReadReview {
  return { kind: "malformed", problem };
}
