import type { IncidentSubject } from "@cloudwright/core/model/incident-subject";
import type { KeptSnapshot } from "../incidents/snapshot-schema.ts";

export type { EnglishSnapshot } from "../incidents/english-snapshot.ts";
export type { IncidentAbout } from "../incidents/frozen-pieces.ts";
export type { IncidentSnapshot, KeptSnapshot } from "../incidents/snapshot-schema.ts";

export const INCIDENT_TITLE_MOST = 120;
/** Most incidents of one cluster, and of one user in it. */
export const INCIDENTS_MOST = { cluster: 500, user: 100 } as const;

/** An incident as lists show it. Times are milliseconds since the epoch. */
export interface IncidentRow {
  readonly id: string;
  /** The title that its maker gave it; undefined for none. */
  readonly title: string | undefined;
  /** Its subject, in English: `Node w-9`. */
  readonly subject: string;
  /** The parts of the subject, for other languages; undefined for an incident of an earlier release. */
  readonly subjectParts: IncidentSubject | undefined;
  readonly madeBy: string;
  readonly madeAt: number;
  /** Whether the reader may delete it. */
  readonly mayDelete: boolean;
}

export interface Incident extends IncidentRow {
  /** Undefined for one that only another release can read. */
  readonly snapshot: KeptSnapshot | undefined;
}
