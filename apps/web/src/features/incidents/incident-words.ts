import { subjectText } from "@cloudwright/core/model/incident-subject";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import type { IncidentRow } from "@cloudwright/store/views/incidents";

/** What an incident is about; one that was kept as English text says it in English. */
export function subjectOf({ subject, subjectParts }: IncidentRow): string {
  return subjectParts === undefined ? subject : subjectText(subjectParts);
}

/** When a call began, counted from its run; a lookup that others share may have begun before it. */
export function offsetText(ms: number): string {
  return ms < 0 ? `−${formatDuration(-ms)}` : `+${formatDuration(ms)}`;
}

/** How long something took; a dash for what had not ended. */
export function lasted(ms: number | undefined): string {
  return ms === undefined ? "—" : formatDuration(ms);
}
