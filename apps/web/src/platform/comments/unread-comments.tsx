"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ListPart } from "@cloudwright/store/views/comments";
import { isListUnread, type ListAnswer, UnreadPart } from "../../components/page/unread-part.tsx";

/** Says above a list of runs or actions that the comments on its rows could not be read. */
export function UnreadComments({ list }: { readonly list: ListAnswer<ListPart> }) {
  if (!isListUnread(list, "comments")) return null;
  return (
    <UnreadPart>{t`Comments could not be read: the list does not say where there are any.`}</UnreadPart>
  );
}
