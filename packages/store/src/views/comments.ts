import type { Unread } from "./unread.ts";
import type { Page } from "./views.ts";

/** Most characters of a comment. */
export const COMMENT_MOST = 2_000;
/** Most comments on one run or action. */
export const COMMENTS_MOST = 200;

/** What can be commented on. */
export const COMMENTED_KINDS = ["run", "action"] as const;

/** A run or an action of a cluster. */
export interface CommentTarget {
  readonly kind: (typeof COMMENTED_KINDS)[number];
  readonly id: string;
}

/** The optional parts of a list of runs or actions. */
export const LIST_PARTS = ["comments"] as const;
export type ListPart = (typeof LIST_PARTS)[number];

/** A page of a list of runs or actions; if comments could not be counted, no row has a number. */
export type CommentedPage<Row> = Page<Commented<Row>> & Unread<ListPart>;

/** A row of a list of runs or actions, with the number of its readable comments; absent if there are none. */
export type Commented<Row> = Row & { readonly comments?: number | undefined };

export interface Comment {
  readonly id: string;
  /** Plain text, of one or more lines; empty once withdrawn. */
  readonly text: string;
  readonly author: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly withdrawn: { readonly by: string; readonly at: number } | undefined;
  /** Whether the reader may withdraw it. */
  readonly mayWithdraw: boolean;
}
