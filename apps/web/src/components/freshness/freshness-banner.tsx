"use client";
import { keepUnits } from "../presentation/keep-units.ts";
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
