import type { Intent, IntentKind } from "@cloudwright/core/model/intent";
import { objectName } from "@cloudwright/core/model/object-ref";

const VERBS: Record<IntentKind, string> = { retry: "Retry", preview: "Preview" };

/** `Retry node w-9`. */
export function actionTitle({ kind, object }: Pick<Intent, "kind" | "object">): string {
  return `${VERBS[kind]} ${object.kind.toLowerCase()} ${objectName(object)}`;
}
