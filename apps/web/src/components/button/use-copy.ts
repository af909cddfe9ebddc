"use client";
import { useState } from "react";

/** Copies texts, and says what came of the last one until it is forgotten. */
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
