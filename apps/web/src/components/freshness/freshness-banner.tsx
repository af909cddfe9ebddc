"use client";
import { keepUnits } from "../presentation/format-text.ts";
import { useFreshnessMessages } from "./freshness.ts";

/** Which link fails between the page and the cloud, while one does. */
export function FreshnessBanner({ className }: { readonly className: string | undefined }) {
  const { banner } = useFreshnessMessages();
  if (banner === undefined) return null;
  return (
    <p className={className} data-tone={banner.tone}>
      {keepUnits(banner.text)}
    </p>
  );
}

/** Before a page's sentence while what it says is old: of when it is. */
export function AsOfNote() {
  const { note } = useFreshnessMessages();
  return note === undefined ? null : <strong>{note} </strong>;
}
