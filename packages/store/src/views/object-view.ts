import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import type { ObjectSummary } from "@cloudwright/core/model/kinds/define-kind";

/** What is known of an object of any kind, also of one that this release has no page of its own for. */
export interface ObjectView {
  readonly row: ObjectSummary;
  readonly createdAt: number | undefined;
  readonly goneAt: number | undefined;
  readonly openIntents: readonly ListedIntent[];
}
