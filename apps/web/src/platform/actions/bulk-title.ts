import { namedLoops } from "@cloudwright/core/model/actions/action";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { bulkOf, bulkTitle } from "./bulk-choice.ts";

/** `Hold 41 nodes`, of intents that were requested together: one of them, and how many they are. */
export function titleOfMany(one: Intent, count: number): string {
  const act = { kind: one.action.kind, of: bulkOf({ ...one, ...scopeOf(one) }) };
  const title = bulkTitle(act, count);
  return one.kind === "preview" ? t`Previews of: ${title}` : title;
}

/** Several loops were named where the whole object was meant. */
function scopeOf({ action }: Intent): { readonly scope?: "object" } {
  return namedLoops(action) !== undefined ? { scope: "object" } : {};
}
