import { namedLoops } from "@cloudwright/core/model/actions/action";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { bulkOf, bulkTitle } from "./bulk-choice.ts";

/** Returns `Hold 41 nodes` for intents that were requested together: one of them, and their number. */
export function titleOfMany(one: Intent, count: number): string {
  const act = { kind: one.action.kind, of: bulkOf({ ...one, ...scopeOf(one) }) };
  const title = bulkTitle(act, count);
  return one.kind === "preview" ? t`Previews of: ${title}` : title;
}

/** If several loops are named, the whole object was meant. */
function scopeOf({ action }: Intent): { readonly scope?: "object" } {
  return namedLoops(action) !== undefined ? { scope: "object" } : {};
}
