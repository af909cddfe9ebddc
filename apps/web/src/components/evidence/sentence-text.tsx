"use client";
import type { Reason } from "@cloudwright/core/model/reason";
import { keepUnits } from "../presentation/format-text.ts";
import { useCause } from "../time/time-text.tsx";
import { RequestChip } from "./request-chip.tsx";
import { requestParts, withoutRequests } from "./request-parts.ts";

/** A sentence as Events and exports carry it, with each request id in it as a chip. */
export function SentenceText({ text }: { readonly text: string }) {
  const parts = requestParts(text);
  let place = 0;
  return parts.map((part) => {
    const key = place;
    place += part.kind === "text" ? part.text.length : part.id.length;
    return part.kind === "text" ? keepUnits(part.text) : <RequestChip key={key} id={part.id} />;
  });
}

/** The cause in a list: without its evidence, which its title and the page beside the list have. */
export function CauseText({ reason }: { readonly reason: Reason }) {
  const cause = useCause()(reason);
  return <span title={cause}>{keepUnits(withoutRequests(cause))}</span>;
}
