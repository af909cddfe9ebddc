"use client";
import { useState } from "react";

/** Copies texts and reports the result of the last copy for a while. */
export function useCopy() {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  const copy = (text: string) => {
    navigator.clipboard?.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    ) ?? setOutcome("refused");
  };
  return { outcome, copy, forget: () => setOutcome(undefined) };
}
