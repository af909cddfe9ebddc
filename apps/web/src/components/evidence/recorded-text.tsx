"use client";
import { cloudText } from "@cloudwright/core/model/cloud-texts/cloud-texts";
import { currentLanguage } from "@cloudwright/core/model/language/text";
import { SentenceText } from "./sentence-text.tsx";

/** What a call failed with: in the language of the page if a provider of ours says it, else as the cloud answered. */
export function CallError({ text }: { readonly text: string }) {
  const said = cloudText(text);
  return (
    <span className="break" lang={said === text ? english() : undefined}>
      {said}
    </span>
  );
}

/** The message of an Event, which is in English for whoever reads it. */
export function EventMessage({ text }: { readonly text: string }) {
  return (
    <span title={text} lang={english()}>
      <SentenceText text={text} />
    </span>
  );
}

/** Says to screen readers and to translators that a text is not in the language of its page. */
function english(): "en" | undefined {
  return currentLanguage() === "en" ? undefined : "en";
}
