import { isSelected, wordsOf } from "./selection.ts";

/** The webhooks that this release can host. */
export const WEBHOOK_NAMES = ["pvlabel"] as const;
export type WebhookName = (typeof WEBHOOK_NAMES)[number];

/** The words of a `--webhooks` list that name no webhook, without their `-`. */
export function unknownWebhooks(list: readonly string[]): readonly string[] {
  const known: readonly string[] = WEBHOOK_NAMES;
  return wordsOf(list).filter((word) => !known.includes(word));
}

/** The webhooks that a `--webhooks` list turns on; the list is read as that of `--controllers` (spec/00 §4). */
export function selectedWebhooks(list: readonly string[]): readonly WebhookName[] {
  return WEBHOOK_NAMES.filter((name) =>
    isSelected(list, { isMeantBy: (word) => word === name, isOnByDefault: true }),
  );
}
