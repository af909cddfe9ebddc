import { formatDuration } from "@cloudwright/core/model/duration";
import { formatInstant, type Zone } from "../../components/time/format-time.ts";

/** Milliseconds since the epoch of the years 2001 to 2100; nothing else that is written down is as large. */
const [FIRST_MS, LAST_MS] = [1e12, 4.1e12];
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** A value of an entry as a user reads it: times in the zone of the page, durations with units, all else as it is. */
export function valueText(path: string, value: string, zone: Zone): string {
  return value
    .split("\n")
    .map((line) => lineText(path, line, zone))
    .join("\n");
}

function lineText(path: string, value: string, zone: Zone): string {
  if (ISO_TIME.test(value)) return formatInstant(Date.parse(value), zone);
  if (!/^\d+(\.\d+)?$/.test(value)) return value;
  const number = Number(value);
  if (number >= FIRST_MS && number <= LAST_MS) return formatInstant(number, zone);
  return path.endsWith("Ms") ? formatDuration(number) : value;
}

/** Where a value stands, without the words that only say how requests are written down. */
export function pathText(path: string): string {
  return path.replace(/^wish › /, "");
}
