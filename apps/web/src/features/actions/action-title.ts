import type { Intent, IntentKind } from "@cloudwright/core/model/intent";
import { objectName } from "@cloudwright/core/model/object-ref";

const VERBS: Record<IntentKind, string> = {
  retry: "Retry",
  preview: "Preview",
  hold: "Hold",
  release: "Release",
  override: "Override the taint of",
  pause: "Pause",
  resume: "Resume",
  "release-guard": "Release deletions of",
};

/** `Retry node w-9`. */
export function actionTitle({ kind, object }: Pick<Intent, "kind" | "object">): string {
  return `${VERBS[kind]} ${object.kind.toLowerCase()} ${objectName(object)}`;
}
