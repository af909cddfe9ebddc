import { t } from "@cloudwright/core/model/language/text";

/** `local` (this computer's zone), `UTC`, or a name from the IANA list such as `Asia/Tokyo`. */
export type Zone = string;

const MINUTE = 60_000;

/** Reports whether this browser can show times in the zone; it may lack one that another browser knows. */
export function isZone(zone: string): boolean {
  if (zone === "local") return true;
  try {
    partsIn(zone);
    return true;
  } catch {
    return false;
  }
}

/** Returns the short name of a zone: `UTC`, `local time`, `Asia/Tokyo`. */
export function zoneLabel(zone: Zone): string {
  return zone === "local" ? t`local time` : zone.replaceAll("_", " ");
}

/** Returns the label for a button: `UTC`, `Local`, `Tokyo`. */
export function shortZoneLabel(zone: Zone): string {
  if (zone === "local") return t`Local`;
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** Returns what clocks in a zone show at a moment, as the milliseconds of a UTC clock that shows the same. */
export function clockIn(at: number, zone: Zone): number {
  if (zone === "UTC") return at;
  if (zone === "local") return at - new Date(at).getTimezoneOffset() * MINUTE;
  const parts = partsIn(zone).formatToParts(at);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = PARTS.map((part) =>
    Number(parts.find(({ type }) => type === part)?.value),
  );
  return Date.UTC(year, month - 1, day, hour, minute, second) + new Date(at).getMilliseconds();
}

const PARTS = ["year", "month", "day", "hour", "minute", "second"] as const;
const formatters = new Map<string, Intl.DateTimeFormat>();

function partsIn(zone: string): Intl.DateTimeFormat {
  const kept = formatters.get(zone);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  formatters.set(zone, made);
  return made;
}
