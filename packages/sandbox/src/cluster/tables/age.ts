const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Step {
  /** Up to this many milliseconds. */
  readonly below: number;
  readonly unit: number;
  readonly sign: string;
  readonly restUnit?: number;
  readonly restSign?: string;
}

const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, unit: SECOND, sign: "s" },
  { below: 10 * MINUTE, unit: MINUTE, sign: "m", restUnit: SECOND, restSign: "s" },
  { below: 3 * HOUR, unit: MINUTE, sign: "m" },
  { below: 8 * HOUR, unit: HOUR, sign: "h", restUnit: MINUTE, restSign: "m" },
  { below: 2 * DAY, unit: HOUR, sign: "h" },
  { below: 8 * DAY, unit: DAY, sign: "d", restUnit: HOUR, restSign: "h" },
  { below: 2 * YEAR, unit: DAY, sign: "d" },
  { below: 8 * YEAR, unit: YEAR, sign: "y", restUnit: DAY, restSign: "d" },
];

/** Returns the age column's text for a timestamp: `107s`, `3m20s`, `5d`; `<unknown>` without one. */
export function ageOf(timestamp: string | null | undefined, now: number): string {
  return timestamp === null || timestamp === undefined
    ? "<unknown>"
    : shortDuration(now - Date.parse(timestamp));
}

function shortDuration(ms: number): string {
  if (ms < -2 * SECOND) return "<invalid>";
  if (ms < 0) return "0s";
  const step = STEPS.find(({ below }) => ms < below);
  if (step === undefined) return `${Math.floor(ms / YEAR)}y`;
  const whole = `${Math.floor(ms / step.unit)}${step.sign}`;
  if (step.restUnit === undefined) return whole;
  const rest = Math.floor((ms % step.unit) / step.restUnit);
  return rest === 0 ? whole : `${whole}${rest}${step.restSign}`;
}
