"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ListPart } from "@cloudwright/store/views/comments";
import type { Unread } from "@cloudwright/store/views/unread";
import { isUnread, UnreadPart } from "../../components/page/unread-part.tsx";

/** Says above a list of runs or actions that its rows do not say which of them have comments. */
export function UnreadComments({
  query: { data },
}: {
  readonly query: {
    readonly data: { readonly pages: readonly Unread<ListPart>[] } | undefined;
  };
}) {
  const isWhole = data === undefined || !data.pages.some((one) => isUnread(one, "comments"));
  if (isWhole) return null;
  return (
    <UnreadPart>{t`Comments could not be read: the list does not say where there are any.`}</UnreadPart>
  );
}
