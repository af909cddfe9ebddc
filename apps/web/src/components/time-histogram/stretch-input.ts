import type { Zone } from "../time/format-time.ts";
import type { Stretch } from "../url/time-range.ts";

/** A moment as a field for date and time holds it, in a zone: `2026-11-24T14:02:09`. */
export function momentText(at: number, zone: Zone): string {
  const shifted = zone === "UTC" ? at : at - new Date(at).getTimezoneOffset() * 60_000;
  return new Date(shifted).toISOString().slice(0, 19);
}

/** The stretch between two such moments, or why there is none. */
export function readMoments(given: {
  readonly from: string;
  readonly to: string;
  readonly zone: Zone;
}): { readonly stretch: Stretch } | { readonly problem: string } {
  // Without a zone, the language takes a date with a time as a local one.
  const suffix = given.zone === "UTC" ? "Z" : "";
  const [from, to] = [given.from, given.to].map((text) => Date.parse(`${text}${suffix}`));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) {
    return { problem: "Enter both times, each with its date." };
  }
  if (from >= to) return { problem: "The start must come before the end." };
  return { stretch: { from, to } };
}
