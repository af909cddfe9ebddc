"use client";
import type { Reason } from "@cloudwright/core/model/reason";
import { english } from "../language/english.ts";
import { keepUnits } from "../presentation/format-text.ts";
import { useCause } from "../time/time-text.tsx";
import { RequestChip } from "./request-chip.tsx";
import { requestParts, withoutRequests } from "./request-parts.ts";

/** A sentence as Events and exports have it, with each request id shown as a chip. */
export function SentenceText({ text }: { readonly text: string }) {
  const parts = requestParts(text);
  let place = 0;
  return parts.map((part) => {
    const key = place;
    place += part.kind === "text" ? part.text.length : part.id.length;
    return part.kind === "text" ? keepUnits(part.text) : <RequestChip key={key} id={part.id} />;
  });
}

/** The cause as lists show it, without its evidence, which is in the title and on the page beside the list. */
export function CauseText({ reason }: { readonly reason: Reason }) {
  const cause = useCause()(reason);
  return (
    <span title={cause} lang={causeLanguage(reason)}>
      {keepUnits(withoutRequests(cause))}
    </span>
  );
}

/** The cause with its evidence. */
export function WholeCause({ reason }: { readonly reason: Reason }) {
  return (
    <span lang={causeLanguage(reason)}>
      <SentenceText text={useCause()(reason)} />
    </span>
  );
}

/** Returns the `lang` of a cause: a reason of a third-party controller has only its own English text. */
export function causeLanguage({ code }: Reason): "en" | undefined {
  return code === "Other" ? english() : undefined;
}
