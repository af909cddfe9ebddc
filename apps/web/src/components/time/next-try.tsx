"use client";
import { nextTry } from "@cloudwright/core/model/sentence";
import { useIsOld } from "../freshness/freshness.ts";
import { keepUnits } from "../presentation/keep-units.ts";
import { isNow } from "./format-time.ts";
import { useNow } from "./ticker.ts";
import { ClockText, TimeText } from "./time-text.tsx";

/** When an object is tried again; of old data it is not known whether it was. */
export function NextTry({ at }: { readonly at: number }) {
  const now = useNow();
  const isOld = useIsOld();
  if (at > now && !isNow(at, now)) {
    return (
      <>
        Next try <TimeText at={at} />.
      </>
    );
  }
  if (!isOld || at > now) return keepUnits(nextTry(at, now));
  return (
    <>
      The next try was due at <ClockText at={at} />.
    </>
  );
}
