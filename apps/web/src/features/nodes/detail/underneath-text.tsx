"use client";
import type { Reason } from "@cloudwright/core/model/reason";
import { SentenceText } from "../../../components/evidence/sentence-text.tsx";
import { useCause } from "../../../components/time/time-text.tsx";

/** What a hold keeps from being mended: the hold ends, and it is still there. */
export function UnderneathText({ reason }: { readonly reason: Reason }) {
  const cause = useCause();
  return (
    <p className="quiet">
      <SentenceText text={`When the hold began: ${cause(reason)}.`} />
    </p>
  );
}
