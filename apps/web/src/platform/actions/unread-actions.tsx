"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ObjectPart } from "@cloudwright/store/views/object-view";
import { isListUnread, type ListAnswer, UnreadPart } from "../../components/page/unread-part.tsx";

/** Says above a list of objects that the open actions of its rows could not be read. */
export function UnreadActions({ list }: { readonly list: ListAnswer<ObjectPart> }) {
  if (!isListUnread(list, "openIntents")) return null;
  return <UnreadPart>{t`The open actions could not be read.`}</UnreadPart>;
}
