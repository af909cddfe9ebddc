import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import type { ObjectSummary } from "@cloudwright/core/model/kinds/define-kind";
import type { Unread } from "./unread.ts";

/** The optional parts of an object's page, or of a list of objects with their actions. */
export const OBJECT_PARTS = ["openIntents"] as const;
export type ObjectPart = (typeof OBJECT_PARTS)[number];

/** What is known of an object of any kind, even one for which this release has no page. */
export interface ObjectView extends Unread<ObjectPart> {
  readonly row: ObjectSummary;
  readonly createdAt: number | undefined;
  readonly goneAt: number | undefined;
  readonly openIntents: readonly ListedIntent[];
}
