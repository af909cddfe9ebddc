import { formatDecimal } from "./counts.ts";
import { t } from "./text.ts";

/** The longest wait that we accept from anybody who answers us, in milliseconds, unless a flag says otherwise. */
export const DEFAULT_MAX_RETRY_AFTER_MS = 600_000;

/** Returns a duration for reading: `840 ms`, `4.2 s`, `14 min`, `3 h 20 min`, `5 d` (UX.md section 13, "Time"). */
export function formatDuration(ms: number): string {
  // Rounded before the unit is chosen: 59.7 s is a minute, never 60 s.
  if (Math.round(ms) < 1_000) return t`${Math.round(ms)} ms`;
  if (ms < 10_000) return t`${formatDecimal(Number((ms / 1_000).toFixed(1)))} s`;
  if (Math.round(ms / 1_000) < 60) return t`${Math.round(ms / 1_000)} s`;
  if (Math.round(ms / 60_000) < 60) return t`${Math.round(ms / 60_000)} min`;
  if (Math.round(ms / 60_000) < 2_880) return hoursAndMinutes(ms);
  return t`${Math.round(ms / 86_400_000)} d`;
}

function hoursAndMinutes(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? t`${hours} h` : t`${hours} h ${rest} min`;
}
