import type { IncidentSnapshot } from "../incidents/snapshot-schema.ts";

export type { IncidentAbout, IncidentSnapshot } from "../incidents/snapshot-schema.ts";

export const INCIDENT_TITLE_MOST = 120;
/** Most incidents of one cluster, and of one user in it. */
export const INCIDENTS_MOST = { cluster: 500, user: 100 } as const;

/** An incident as it is listed. Times are milliseconds since the epoch. */
export interface IncidentRow {
  readonly id: string;
  /** What its maker called it; undefined for none. */
  readonly title: string | undefined;
  /** What it is about: `Node w-9`. */
  readonly subject: string;
  readonly madeBy: string;
  readonly madeAt: number;
  /** Whether who asks may delete it. */
  readonly mayDelete: boolean;
}

export interface Incident extends IncidentRow {
  /** Undefined for one that only another release can read. */
  readonly snapshot: IncidentSnapshot | undefined;
}
