"use client";
import { useFreshnessMessages } from "../../../components/freshness/freshness.ts";

/** Why no answer comes, as far as the page can see. */
export function useSilence(): string {
  const { banner } = useFreshnessMessages();
  return banner?.text ?? "The leader has not answered within 5 s: it may be busy.";
}
