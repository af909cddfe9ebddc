"use client";
import { changeWhyAgain } from "@cloudwright/core/model/audit/change-why";
import { currentLanguage } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import { withoutRequests } from "../../components/evidence/request-parts.ts";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";

type Entry = Pick<AuditRow, "why" | "actor" | "action"> & {
  readonly reason?: AuditRow["reason"];
  /** The same in the page's language, if the server has a translation. */
  readonly said?: string | undefined;
};

/** The reason as lists show it: without the calls that it names, which its title has. */
export function WhyText({ entry }: { readonly entry: Entry }) {
  const { text, lang } = whyOf(entry);
  return (
    <span title={text} lang={lang}>
      {withoutRequests(text)}
    </span>
  );
}

/** The reason with the calls that it names. */
export function WholeWhy({ entry }: { readonly entry: Entry }) {
  const { text, lang } = whyOf(entry);
  return (
    <span lang={lang}>
      <SentenceText text={text} />
    </span>
  );
}

/** The reason for places that take only text. */
export function whyText(entry: Entry): string {
  return whyOf(entry).text;
}

/**
 * Users' texts stay as they are. Reasons recorded by controllers are worded in the page's language if they are known; otherwise the log's
 * own sentence is shown and marked as English.
 */
function whyOf({ why, reason, said, actor, action }: Entry): {
  readonly text: string;
  readonly lang: "en" | undefined;
} {
  if (reason !== undefined) return { text: changeWhyAgain(why, reason), lang: undefined };
  const isOwn = actor.kind !== "controller" || action.startsWith("intent.");
  const isQuoted = said === undefined && !isOwn && currentLanguage() !== "en";
  return { text: said ?? why, lang: isQuoted ? "en" : undefined };
}
