import { z } from "zod/mini";
import { DEFAULT_MAX_RETRY_AFTER_MS } from "../../model/language/duration.ts";
import type { AnswerBody } from "../../model/values/answer-body.ts";
import { parsedJson } from "../../model/values/json.ts";
import type { PatchKind } from "../client.ts";
import { type KubeCallRef, KubeError, type KubeErrorCode } from "../errors.ts";

const statusSchema = z.object({
  kind: z.literal("Status"),
  code: z.optional(z.number()),
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
  details: z.optional(
    z.object({
      retryAfterSeconds: z.optional(z.number()),
      causes: z.optional(
        z.array(z.object({ message: z.optional(z.string()), field: z.optional(z.string()) })),
      ),
    }),
  ),
});
export type Status = z.infer<typeof statusSchema>;

/** An unsuccessful answer of the API server. */
export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs?: number;
  readonly auditId?: string;
  /** If the request was a patch of this kind, a mismatch with the object is a conflict. */
  readonly patchKind?: PatchKind;
}

/** Returns the error for an answer, by its HTTP status and the Status object's reason. */
export function errorOfAnswer(answer: FailedAnswer, call: KubeCallRef): KubeError {
  const status = statusSchema.safeParse(parsedJson(answer.body)).data;
  const retryAfterMs = believed(answer.retryAfterMs ?? retryAfterOf(status));
  return new KubeError(codeOf(answer, status), messageOf(answer, status), {
    ...call,
    status: answer.status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(answer.auditId === undefined ? {} : { auditId: answer.auditId }),
    ...(status === undefined ? {} : { body: bodyOf(status) }),
  });
}

/** Returns the error for an ERROR event of a watch. */
export function errorOfStatus(status: unknown, call: KubeCallRef): KubeError {
  const parsed = statusSchema.safeParse(status);
  const code = (parsed.success ? parsed.data.code : undefined) ?? 500;
  return errorOfAnswer({ status: code, body: JSON.stringify(status) }, call);
}

const CODES: Readonly<Record<number, KubeErrorCode>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  408: "Unavailable",
  409: "Conflict",
  410: "Gone",
  429: "Throttled",
};

function codeOf(answer: FailedAnswer, status: Status | undefined): KubeErrorCode {
  // A proxy may answer 404 on its own; only the API server may say that an object is gone.
  if (status === undefined && answer.status === 404) return "Unavailable";
  if (status?.reason === "AlreadyExists") return "AlreadyExists";
  if (status?.reason === "Expired") return "Gone";
  if (isMisfit(answer, status)) return "Conflict";
  const known = CODES[answer.status];
  if (known !== undefined) return known;
  return answer.status >= 400 && answer.status < 500 ? "Invalid" : "Unavailable";
}

/**
 * Reports whether the patch was made for another state of the object. The API server answers 422: to a JSON patch (a
 * failed `test`, or a missing path) without any cause, to a merge with another UID with the cause `metadata.uid`. A
 * matching patch that makes the object invalid has causes for other fields.
 */
function isMisfit(answer: FailedAnswer, status: Status | undefined): boolean {
  if (answer.patchKind === undefined || answer.status !== 422) return false;
  const causes = status?.details?.causes ?? [];
  if (answer.patchKind === "json" && causes.length === 0) return true;
  return causes.some((cause) => cause.field === "metadata.uid");
}

function messageOf(answer: FailedAnswer, status: Status | undefined): string {
  if (isMisfit(answer, status))
    return "the object is no longer the one that the patch was made for";
  if (status?.message !== undefined && status.message !== "") return status.message;
  if (status?.reason !== undefined) return `it answered ${answer.status} ${status.reason}`;
  return `it answered ${answer.status} without a reason, which the Kubernetes API does not do; check what is between it and this process`;
}

/** The causes' own messages contain values of the object, their fields only names. */
function bodyOf({ reason, message, details }: Status): AnswerBody {
  const fields = (details?.causes ?? []).flatMap(({ field }) => field ?? []);
  return { reason, message, ...(fields.length === 0 ? {} : { fields }) };
}

/** A wait of years would put an object off forever. */
function believed(retryAfterMs: number | undefined): number | undefined {
  return retryAfterMs === undefined
    ? undefined
    : Math.min(retryAfterMs, DEFAULT_MAX_RETRY_AFTER_MS);
}

function retryAfterOf(status: Status | undefined): number | undefined {
  const seconds = status?.details?.retryAfterSeconds;
  return seconds === undefined || seconds === 0 ? undefined : seconds * 1_000;
}
