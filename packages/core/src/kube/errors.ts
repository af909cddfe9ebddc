import type { Reason } from "../model/reason.ts";
import type { AnswerBody } from "../model/values/answer-body.ts";
import { withoutSecrets } from "../model/values/secrets.ts";

export const KUBE_ERROR_CODES = [
  "NotFound",
  "AlreadyExists",
  "Conflict",
  "Forbidden",
  "Unauthorized",
  "Throttled",
  "Unavailable",
  "Invalid",
  "Gone",
] as const;
export type KubeErrorCode = (typeof KUBE_ERROR_CODES)[number];

export interface KubeCallRef {
  readonly verb: string;
  /** For example `nodes` or `nodes/status`. */
  readonly resource: string;
  readonly name?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /**
   * Whether the API server may have carried out the write although no answer confirmed it: the request was sent and
   * its answer was lost.
   */
  readonly mayBeDone?: boolean;
  /** Whether the write was held back because this process no longer leads. */
  readonly fenced?: boolean;
  /** The API server's `X-Kubernetes-Pf-...`-independent audit id, when it sent one. */
  readonly auditId?: string;
  /** The API server's message in its refusal. */
  readonly body?: AnswerBody;
}

/** The error of every Kubernetes API call; `status` 0 means that no answer came. */
export class KubeError extends Error {
  override readonly name = "KubeError";
  readonly code: KubeErrorCode;
  readonly call: KubeCallRef;

  constructor(
    code: KubeErrorCode,
    message: string,
    call: KubeCallRef & { readonly cause?: unknown },
  ) {
    super(withoutSecrets(message), { cause: call.cause });
    this.code = code;
    this.call = call;
  }
}

export function isKubeError(error: unknown): error is KubeError {
  return error instanceof Error && error.name === "KubeError" && "code" in error;
}

/** Returns the Reason for a Kubernetes API failure; the only place that maps one to the other. */
export function reasonOfKubeError(error: KubeError): Reason {
  const { verb, resource, fenced } = error.call;
  if (fenced === true) return { code: "LeaseLost", operation: `${verb} ${resource}` };
  if (error.code === "NotFound") return { code: "ObjectGone" };
  return { code: REASON_CODES[error.code], verb, resource, message: error.message };
}

const REASON_CODES = {
  Conflict: "KubeConflict",
  AlreadyExists: "KubeConflict",
  Forbidden: "KubeForbidden",
  Unauthorized: "KubeForbidden",
  Throttled: "KubeThrottled",
  Invalid: "KubeRefused",
  Unavailable: "KubeUnavailable",
  Gone: "KubeUnavailable",
} as const satisfies Readonly<Record<Exclude<KubeError["code"], "NotFound">, Reason["code"]>>;
