import { t } from "@cloudwright/core/model/language/text";
import type { SavedView } from "@cloudwright/store/views/saved-views";
import { PAGE_LABELS } from "./saved-view-words.ts";

/** Returns the views in whose name or list every word of the text occurs, with at least one in the name. */
export function viewsFor(views: readonly SavedView[], text: string): readonly SavedView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.join("").length < 2) return [];
  return views.filter(({ name, page }) => {
    const own = name.toLowerCase();
    const all = `${t`view`} ${PAGE_LABELS[page].toLowerCase()} ${own}`;
    return words.every((word) => all.includes(word)) && words.some((word) => own.includes(word));
  });
}
