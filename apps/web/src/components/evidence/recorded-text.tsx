"use client";
import { cloudText } from "@cloudwright/core/model/cloud-texts/cloud-texts";
import { english } from "../language/english.ts";
import { SentenceText } from "./sentence-text.tsx";

/** Why a call failed: in the page's language if the message comes from one of our providers, otherwise as the cloud returned it. */
export function CallError({ text }: { readonly text: string }) {
  const said = cloudText(text);
  return (
    <span className="break" lang={said === text ? english() : undefined}>
      {said}
    </span>
  );
}

/** A text of the cloud that nobody translates, such as what a load balancer costs. */
export function EnglishText({ text }: { readonly text: string }) {
  return (
    <span title={text} lang={english()}>
      {text}
    </span>
  );
}

/** The message of an Event or of the log, which is always in English. */
export function LogMessage({ text }: { readonly text: string }) {
  return (
    <span title={text} lang={english()}>
      <SentenceText text={text} />
    </span>
  );
}
