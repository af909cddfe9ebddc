import { formatDuration } from "@cloudwright/core/model/language/duration";
import { LOCALES } from "@cloudwright/core/model/language/languages";
import { currentLanguage, t } from "@cloudwright/core/model/language/text";
import { clockIn, type Zone } from "./zone.ts";

/** Formats `14:02:09`, with the day if it is not today. */
export function formatClock(at: number, zone: Zone, now: number): string {
  const time = part(at, zone, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  if (dayOf(at, zone) === dayOf(now, zone)) return time;
  return `${part(at, zone, { day: "numeric", month: "short", ...yearIfOther(at, zone, now) })} ${time}`;
}

/** Formats `14:02`. */
export function formatMinute(at: number, zone: Zone): string {
  return part(at, zone, { hour: "2-digit", minute: "2-digit" });
}

/** Formats `1 Mar`, with the year if it is not this one. */
export function formatDay(at: number, zone: Zone, now: number): string {
  return part(at, zone, { day: "numeric", month: "short", ...yearIfOther(at, zone, now) });
}

/** Formats the full instant with its zone, for titles and copying: `2026-11-24 14:02:09.120 UTC`. */
export function formatInstant(at: number, zone: Zone): string {
  const text = new Date(clockIn(at, zone)).toISOString().replace("T", " ").replace("Z", "");
  return `${text} ${zone === "UTC" ? "UTC" : zoneName(at, zone)}`;
}

/** Formats `14 min ago`, `in 2 min`, `just now`. */
export function formatRelative(at: number, now: number): string {
  const distance = now - at;
  if (isNow(at, now)) return t`just now`;
  return distance > 0 ? t`${formatDuration(distance)} ago` : t`in ${formatDuration(-distance)}`;
}

/** Reports whether the time is too close for the relative form to give a distance. */
export function isNow(at: number, now: number): boolean {
  return Math.abs(now - at) < 1_500;
}

/** Formats a duration for a clock that ticks once a second: whole seconds only. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds === 0 ? t`${0} s` : formatDuration(seconds * 1_000);
}

function part(at: number, zone: Zone, options: Intl.DateTimeFormatOptions): string {
  return formatterOf({ ...options, ...zoneOption(zone) }).format(at);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are cached: creating one takes ten times as long as using it, and each row of a list shows a time. */
function formatterOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const language = currentLanguage();
  const key = `${language} ${JSON.stringify(options)}`;
  const kept = formatters.get(key);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat(LOCALES[language], options);
  formatters.set(key, made);
  return made;
}

function dayOf(at: number, zone: Zone): string {
  return part(at, zone, { year: "numeric", month: "2-digit", day: "2-digit" });
}

function yearIfOther(at: number, zone: Zone, now: number): Intl.DateTimeFormatOptions {
  const yearOf = (time: number) => part(time, zone, { year: "numeric" });
  return yearOf(at) === yearOf(now) ? {} : { year: "numeric" };
}

function zoneOption(zone: Zone): Intl.DateTimeFormatOptions {
  return zone === "local" ? {} : { timeZone: zone };
}

function zoneName(at: number, zone: Zone): string {
  const parts = formatterOf({ timeZoneName: "short", ...zoneOption(zone) }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? t`local`;
}
