"use client";
import { keepUnits } from "../presentation/keep-units.ts";
import { RequestChip } from "./request-chip.tsx";
import { requestParts } from "./request-parts.ts";

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
