import { t } from "@cloudwright/core/model/language/text";

/** `local`: this computer's, or `UTC`, or one of the IANA list: `Asia/Tokyo`. */
export type Zone = string;

const MINUTE = 60_000;

/** Whether times can be shown in it here; one that another browser knows need not be known to this one. */
export function isZone(zone: string): boolean {
  if (zone === "local") return true;
  try {
    partsIn(zone);
    return true;
  } catch {
    return false;
  }
}

/** What a zone is called in a few words: `UTC`, `local time`, `Asia/Tokyo`. */
export function zoneLabel(zone: Zone): string {
  return zone === "local" ? t`local time` : zone.replaceAll("_", " ");
}

/** For a button: `UTC`, `Local`, `Tokyo`. */
export function shortZoneLabel(zone: Zone): string {
  if (zone === "local") return t`Local`;
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** What the clocks of a zone show at a moment, as the milliseconds of a clock in UTC that shows the same. */
export function clockIn(at: number, zone: Zone): number {
  if (zone === "UTC") return at;
  if (zone === "local") return at - new Date(at).getTimezoneOffset() * MINUTE;
  const parts = partsIn(zone).formatToParts(at);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = PARTS.map((part) =>
    Number(parts.find(({ type }) => type === part)?.value),
  );
  return Date.UTC(year, month - 1, day, hour, minute, second) + new Date(at).getMilliseconds();
}

/** The moment at which the clocks of a zone show this. One that they skip is as far after the change as it says. */
export function momentOf(clock: number, zone: Zone): number {
  const before = clock - clockIn(clock, zone) + clock;
  return clock - clockIn(before, zone) + before;
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
