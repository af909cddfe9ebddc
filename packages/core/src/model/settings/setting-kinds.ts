import { t } from "../language/text.ts";
import { formatGoDuration, parseGoDuration } from "../values/go-duration.ts";

/** Parses the text of a setting; flags of the same name use it as well. */
export interface SettingKind<Value> {
  /** The placeholder for the value in a help text. */
  readonly label: string;
  /** What a text must be, as the end of a sentence that starts with the setting's name: "must be …". */
  readonly must: string;
  /** Undefined for an invalid text. */
  read(text: string): Read<Value> | undefined;
  /** Formats the value as a user would write it. */
  format(value: Value): string;
}

/** Wraps the value, which may be undefined: the guard is then off. */
export interface Read<Value> {
  readonly value: Value;
}

/** At most `nodes` or `percent` of the nodes, whichever is larger, within `windowMs`. */
export interface GuardPolicy {
  readonly nodes: number;
  readonly percent: number;
  readonly windowMs: number;
}

export const DURATION: SettingKind<number> = {
  label: "duration",
  get must() {
    return t`must be a duration such as 10s, 1m30s or 300ms`;
  },
  read: (text) => readMs(parseGoDuration(text)),
  format: formatGoDuration,
};

const DAY_MS = 86_400_000;

/** A retention of at least a day, so that it can be shown in days. */
export const RETENTION: SettingKind<number> = {
  label: "duration",
  get must() {
    return t`must be a duration of a day or more such as 30d or 36h`;
  },
  read: (text) => {
    const days = /^(\d+)d$/.exec(text)?.[1];
    const read = readMs(days === undefined ? parseGoDuration(text) : Number(days) * DAY_MS);
    return read !== undefined && read.value >= DAY_MS ? read : undefined;
  },
  format: (ms) => (ms % DAY_MS === 0 ? `${ms / DAY_MS}d` : formatGoDuration(ms)),
};

/** Undefined: the guard is off. */
export const GUARD: SettingKind<GuardPolicy | undefined> = {
  label: "nodes,percent%,window|off",
  get must() {
    return t`must be off, or nodes, percentage and window such as 5,10%,10m`;
  },
  read: (text) => {
    if (text === "off") return { value: undefined };
    const match = /^(\d+),(\d+)%,(.+)$/.exec(text);
    const windowMs = parseGoDuration(match?.[3] ?? "");
    if (match === null || windowMs === undefined || windowMs <= 0 || Number(match[2]) > 100) {
      return undefined;
    }
    return { value: { nodes: Number(match[1]), percent: Number(match[2]), windowMs } };
  },
  format: (guard) =>
    guard === undefined
      ? "off"
      : `${guard.nodes},${guard.percent}%,${shortDuration(guard.windowMs)}`,
};

function readMs(ms: number | undefined): Read<number> | undefined {
  return ms === undefined ? undefined : { value: ms };
}

/** Formats a duration like a user: without trailing zero minutes and seconds. */
export function shortDuration(ms: number): string {
  return formatGoDuration(ms)
    .replace(/(?<=m)0s$/, "")
    .replace(/(?<=h)0m$/, "");
}
