import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import type { ObjectSummary } from "@cloudwright/core/model/kinds/define-kind";
import type { Unread } from "./unread.ts";

/** What the page of an object, or a list of objects with their actions, can do without. */
export const OBJECT_PARTS = ["openIntents"] as const;
export type ObjectPart = (typeof OBJECT_PARTS)[number];

/** What is known of an object of any kind, also of one that this release has no page of its own for. */
export interface ObjectView extends Unread<ObjectPart> {
  readonly row: ObjectSummary;
  readonly createdAt: number | undefined;
  readonly goneAt: number | undefined;
  readonly openIntents: readonly ListedIntent[];
}
