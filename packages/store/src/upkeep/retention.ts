/** How long the ledger keeps each kind of row, in milliseconds. Audit entries are never removed. */
export interface Retention {
  /** Runs, and the reports of gaps in them; whole days (UTC) are removed. Also Events of other components, individually. */
  readonly runsMs: number;
  /** The bodies of failed calls. */
  readonly bodiesMs: number;
  /** Actions that have ended. */
  readonly intentsMs: number;
  /** Objects that are gone. */
  readonly goneMs: number;
  /** The minutes of the budget. */
  readonly budgetMs: number;
  /** Incidents that users shared. */
  readonly incidentsMs: number;
}

const DAY_MS = 86_400_000;

export const DEFAULT_RETENTION: Retention = {
  runsMs: 30 * DAY_MS,
  bodiesMs: 7 * DAY_MS,
  intentsMs: 90 * DAY_MS,
  goneMs: 30 * DAY_MS,
  budgetMs: 7 * DAY_MS,
  incidentsMs: 90 * DAY_MS,
};
