"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { Unread } from "@cloudwright/store/views/unread";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../button/button.tsx";

/** Whether a part of an answer is empty because it could not be read. */
export function isUnread<Part extends string>(
  { unread = [] }: Unread<Part>,
  part: NoInfer<Part>,
): boolean {
  return unread.includes(part);
}

/** The pages that a list has received so far; undefined before the first. */
export type ListAnswer<Part extends string> =
  | { readonly pages: readonly Unread<Part>[] }
  | undefined;

/** Reports whether a part is missing on any of a list's pages. */
export function isListUnread<Part extends string>(
  list: ListAnswer<Part>,
  part: NoInfer<Part>,
): boolean {
  return list?.pages.some((one) => isUnread(one, part)) ?? false;
}

/** Replaces a part that could not be read, with a button to read it again; the rest of the page shows what it has. */
export function UnreadPart({
  children = t`This part could not be read; the log of the dashboard says why. The rest of the page is not affected.`,
}: {
  /** What could not be read, if its place on the page does not make that clear. */
  readonly children?: ReactNode;
}) {
  const client = useQueryClient();
  const askAgain = () =>
    client.refetchQueries({ type: "active", predicate: ({ state }) => isIncomplete(state.data) });
  return (
    <div className="row second small" role="status">
      <p>{children}</p>
      <Button onClick={() => void askAgain()}>{t`Try again`}</Button>
    </div>
  );
}

/** Reports whether an answer, or one of a list's pages, lacks a part. */
function isIncomplete(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  if ("pages" in answer && Array.isArray(answer.pages)) return answer.pages.some(isIncomplete);
  return "unread" in answer;
}
