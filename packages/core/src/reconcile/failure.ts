import { isKubeError, reasonOfKubeError } from "../kube/errors.ts";
import type { Reason } from "../model/reason.ts";
import { withoutSecrets } from "../model/secrets.ts";
import { isProviderError, reasonOfProviderError } from "../provider/errors.ts";

/** The reason of anything thrown in a run; the one place where an error becomes a Reason (DESIGN.md "Errors"). */
export function reasonOfError(error: unknown): Reason {
  if (isProviderError(error)) return reasonOfProviderError(error);
  if (isKubeError(error)) return reasonOfKubeError(error);
  const message = error instanceof Error ? error.message : String(error);
  return { code: "Unexplained", message: withoutSecrets(message) };
}

/** Whether looking again may heal it at once: what we planned from has changed or is gone. */
export function isStale(error: unknown): boolean {
  if (isKubeError(error)) return error.code === "Conflict" || error.code === "NotFound";
  return isProviderError(error) && error.code === "Conflict";
}

/** What the API server asked us to wait, milliseconds; the cloud's is in its Reason already. */
export function kubeRetryAfterMs(error: unknown): number | undefined {
  return isKubeError(error) && error.code === "Throttled" ? error.call.retryAfterMs : undefined;
}

/** Whether the reason means that the truth could not be seen: the object's state is then unknown, never OK. */
export function couldNotLook(reason: Reason): boolean {
  switch (reason.code) {
    case "ProviderUnavailable":
    case "ProviderTimedOut":
    case "ProviderUnauthorized":
    case "ProviderThrottled":
    case "KubeUnavailable":
    case "KubeThrottled":
      return true;
    case "KubeForbidden":
      return READING.has(reason.verb.toLowerCase());
    default:
      return false;
  }
}

const READING: ReadonlySet<string> = new Set(["get", "list", "watch"]);

const PAUSE_WHEN_UNTOLD_MS = 1_000;

/** Milliseconds to wait because somebody allows no more calls; undefined for any other reason. */
export function throttlePauseMs(reason: Reason): number | undefined {
  if (reason.code === "ProviderThrottled") return reason.retryAfterMs ?? PAUSE_WHEN_UNTOLD_MS;
  return reason.code === "KubeThrottled" ? PAUSE_WHEN_UNTOLD_MS : undefined;
}
