"use client";
import { keepUnits } from "../presentation/format-text.ts";
import { useFreshnessWords } from "./freshness.ts";

/** Which link fails between the page and the cloud, while one does. */
export function FreshnessBanner({ className }: { readonly className: string | undefined }) {
  const { banner } = useFreshnessWords();
  if (banner === undefined) return null;
  return (
    <p className={className} data-tone={banner.tone}>
      {keepUnits(banner.text)}
    </p>
  );
}

/** Before a page's sentence while what it says is old: of when it is. */
export function AsOfNote() {
  const { note } = useFreshnessWords();
  return note === undefined ? null : <strong>{note} </strong>;
}
