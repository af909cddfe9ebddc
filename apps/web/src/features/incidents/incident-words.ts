import { subjectText } from "@cloudwright/core/model/incident-subject";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import type { IncidentRow } from "@cloudwright/store/views/incidents";

/** Returns the subject of an incident; one that was stored as English text stays in English. */
export function subjectOf({ subject, subjectParts }: IncidentRow): string {
  return subjectParts === undefined ? subject : subjectText(subjectParts);
}

/** Formats when a call began, relative to its run; a shared lookup may have begun before the run. */
export function offsetText(ms: number): string {
  return ms < 0 ? `−${formatDuration(-ms)}` : `+${formatDuration(ms)}`;
}

/** Formats a duration; a dash for what had not ended. */
export function lasted(ms: number | undefined): string {
  return ms === undefined ? "—" : formatDuration(ms);
}
