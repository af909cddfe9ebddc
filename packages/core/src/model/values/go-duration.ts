const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
/** Go counts nanoseconds in 63 bits: some 292 years. */
const LONGEST_MS = 2 ** 63 / 1e6;
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Parses a Go duration (`1h2m3.5s`, `300ms`, `-1.5h`, `0`) to milliseconds; undefined if it is invalid. Source:
 * spec/00 §5, which uses Go's grammar for every duration flag.
 */
export function parseGoDuration(text: string): number | undefined {
  const sign = text.startsWith("-") ? -1 : 1;
  const rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0;
  const total = sumOfParts(rest);
  if (total === undefined || total > LONGEST_MS) return undefined;
  return total === 0 ? 0 : sign * total;
}

/** Formats milliseconds like Go: `5m0s`, `300ms`, `1h2m3.5s`. */
export function formatGoDuration(ms: number): string {
  if (ms === 0) return "0s";
  if (ms < 0) return `-${formatGoDuration(-ms)}`;
  if (ms < 1) return ms < 1e-3 ? `${rounded(ms * 1e6)}ns` : `${rounded(ms * 1e3)}µs`;
  if (ms < 1_000) return `${rounded(ms)}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = `${rounded((ms % 60_000) / 1_000)}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

function sumOfParts(text: string): number | undefined {
  if (text === "") return undefined;
  const part = new RegExp(PART);
  let total = 0;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) return undefined;
    total += Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN);
  }
  return total;
}

function rounded(value: number): string {
  return String(Number(value.toFixed(9)));
}
