import { z } from "zod/mini";
import { t } from "../language/text.ts";
import { PAUSE_WHEN_UNTOLD_MS, reasonsOf } from "./define.ts";

const defineReason = reasonsOf({ depth: "controller", appearsIn: "all" });

const READING: ReadonlySet<string> = new Set(["get", "list", "watch"]);

export const KUBERNETES_REASONS = [
  defineReason({
    code: "KubeForbidden",
    fields: kubeFailure(),
    cause: (r) => t`the Kubernetes API forbids us to ${r.verb} ${r.resource}: ${r.message}`,
    advice: () => t`Grant the controller this permission.`,
    fault: "user",
    state: (r) => (READING.has(r.verb.toLowerCase()) ? "unknown" : undefined),
  }),
  defineReason({
    code: "KubeConflict",
    fields: kubeFailure(),
    cause: (r) => t`another client changed the object at the same time (${r.verb} ${r.resource})`,
    advice: () => t`It is retried automatically.`,
    fault: "passing",
  }),
  defineReason({
    code: "KubeRefused",
    fields: kubeFailure(),
    cause: (r) => t`the Kubernetes API refused to ${r.verb} ${r.resource}: ${r.message}`,
    advice: () =>
      t`Read the message: an admission policy, a webhook or a validation refuses the write; it is retried automatically.`,
    fault: "user",
  }),
  defineReason({
    code: "KubeUnavailable",
    fields: kubeFailure(),
    cause: (r) => t`the Kubernetes API failed to ${r.verb} ${r.resource}: ${r.message}`,
    advice: () => t`It is retried automatically.`,
    fault: "passing",
    state: "unknown",
  }),
  defineReason({
    code: "KubeThrottled",
    fields: kubeFailure(),
    cause: (r) => t`the Kubernetes API allows no more calls for now (${r.verb} ${r.resource})`,
    advice: () => t`It resumes by itself.`,
    fault: "passing",
    state: "unknown",
    pauseMs: () => PAUSE_WHEN_UNTOLD_MS,
  }),
] as const;

function kubeFailure() {
  return { verb: z.string(), resource: z.string(), message: z.string() };
}
