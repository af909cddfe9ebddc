"use client";
import { useFreshnessWords } from "./freshness.ts";

/** Before a page's sentence while what it says is old: of when it is. */
export function AsOfNote() {
  const { note } = useFreshnessWords();
  return note === undefined ? null : <strong>{note} </strong>;
}
