"use client";
import { changeWhyAgain } from "@cloudwright/core/model/audit/change-why";
import { currentLanguage } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import { withoutRequests } from "../../components/evidence/request-parts.ts";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";

type Entry = Pick<AuditRow, "why" | "actor" | "action"> & {
  readonly reason?: AuditRow["reason"];
  /** The same in the language of the page, where the server has words for it. */
  readonly said?: string | undefined;
};

/** Why, in a list: without the calls that it names, which its title has. */
export function WhyText({ entry }: { readonly entry: Entry }) {
  const { text, lang } = whyOf(entry);
  return (
    <span title={text} lang={lang}>
      {withoutRequests(text)}
    </span>
  );
}

/** Why, with the calls that it names. */
export function WholeWhy({ entry }: { readonly entry: Entry }) {
  const { text, lang } = whyOf(entry);
  return (
    <span lang={lang}>
      <SentenceText text={text} />
    </span>
  );
}

/** For where there is only room for text. */
export function whyText(entry: Entry): string {
  return whyOf(entry).text;
}

/**
 * What users wrote is theirs. What controllers recorded is said in the language of the page where its reason is known; else it is the
 * log's own sentence, and said to be English.
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
