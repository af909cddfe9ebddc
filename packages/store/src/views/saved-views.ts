/** The pages that can be kept under a name, by the last part of their address. */
export const SAVED_PAGES = [
  "nodes",
  "load-balancers",
  "routes",
  "volumes",
  "topology",
  "runs",
  "changes",
  "actions",
  "audit",
  "budget",
  "takeover",
  "dry-run",
] as const;
export type SavedPage = (typeof SAVED_PAGES)[number];

/** Most views that one user keeps. */
export const SAVED_VIEWS_MOST = 100;
export const VIEW_NAME_MOST = 80;

/** Which columns of a list are hidden. */
export interface HiddenColumns {
  /** The name under which the list keeps its columns. */
  readonly table: string;
  readonly hidden: readonly string[];
}

/** A list as a user has set it up: what its address says, and its columns. */
export interface SavedList {
  readonly page: SavedPage;
  /** Parameters of the address, without the question mark. */
  readonly search: string;
  /** Undefined where they stay as whoever opens it has them. */
  readonly columns: HiddenColumns | undefined;
}

/** A view as it is listed to whoever may open it. */
export interface SavedView extends SavedList {
  readonly id: string;
  readonly name: string;
  /** Undefined for one of all clusters. */
  readonly cluster: string | undefined;
  readonly isShared: boolean;
  readonly isOwn: boolean;
  /** Who saved it. */
  readonly owner: string;
  /** Whether who asks may rename, replace or remove it. */
  readonly mayChange: boolean;
}
