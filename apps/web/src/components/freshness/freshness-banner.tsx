"use client";
import { keepUnits } from "../presentation/format-text.ts";
import { useFreshnessMessages } from "./freshness.ts";

/** While a link between the page and the cloud is broken, says which one. */
export function FreshnessBanner({ className }: { readonly className: string | undefined }) {
  const { banner } = useFreshnessMessages();
  if (banner === undefined) return null;
  return (
    <p className={className} data-tone={banner.tone}>
      {keepUnits(banner.text)}
    </p>
  );
}

/** Stands before a page's summary while its data is old, and says how old. */
export function AsOfNote() {
  const { note } = useFreshnessMessages();
  return note === undefined ? null : <strong>{note} </strong>;
}
