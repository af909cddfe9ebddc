import type { IncidentSubject } from "@cloudwright/core/model/incident-subject";
import type { KeptSnapshot } from "../incidents/snapshot-schema.ts";

export type { EnglishSnapshot } from "../incidents/english-snapshot.ts";
export type { IncidentAbout } from "../incidents/frozen-pieces.ts";
export type { IncidentSnapshot, KeptSnapshot } from "../incidents/snapshot-schema.ts";

export const INCIDENT_TITLE_MOST = 120;
/** Most incidents of one cluster, and of one user in it. */
export const INCIDENTS_MOST = { cluster: 500, user: 100 } as const;

/** An incident as it is listed. Times are milliseconds since the epoch. */
export interface IncidentRow {
  readonly id: string;
  /** What its maker called it; undefined for none. */
  readonly title: string | undefined;
  /** What it is about, in English: `Node w-9`. */
  readonly subject: string;
  /** Of what that is made, for other languages; undefined of one that an earlier release has kept. */
  readonly subjectParts: IncidentSubject | undefined;
  readonly madeBy: string;
  readonly madeAt: number;
  /** Whether who asks may delete it. */
  readonly mayDelete: boolean;
}

export interface Incident extends IncidentRow {
  /** Undefined for one that only another release can read. */
  readonly snapshot: KeptSnapshot | undefined;
}
