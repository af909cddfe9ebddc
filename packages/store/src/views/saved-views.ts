/** The pages that can be saved under a name, by the last part of their address. */
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

/** Most views of one user. */
export const SAVED_VIEWS_MOST = 100;
export const VIEW_NAME_MOST = 80;

/** Which columns of a list are hidden. */
export interface HiddenColumns {
  /** The name under which the list stores its columns. */
  readonly table: string;
  readonly hidden: readonly string[];
}

/** A list as a user has set it up: its address parameters and its columns. */
export interface SavedList {
  readonly page: SavedPage;
  /** Parameters of the address, without the question mark. */
  readonly search: string;
  /** Undefined when each reader keeps their own columns. */
  readonly columns: HiddenColumns | undefined;
}

/** A saved view as listed to users who may open it. */
export interface SavedView extends SavedList {
  readonly id: string;
  readonly name: string;
  /** Undefined for a view of all clusters. */
  readonly cluster: string | undefined;
  readonly isShared: boolean;
  readonly isOwn: boolean;
  /** Who saved it. */
  readonly owner: string;
  /** Whether the reader may rename, replace or remove it. */
  readonly mayChange: boolean;
}
