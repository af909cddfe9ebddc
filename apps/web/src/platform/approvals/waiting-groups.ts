import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { WaitingApproval } from "@cloudwright/store/views/approvals";

/** One user's request that waits for one decision: a single action, or similar actions of a batch. */
export interface WaitingGroup extends WaitingApproval {
  readonly key: string;
  /** All of them; the first is `intent`. */
  readonly intents: readonly Intent[];
}

/** Groups are ordered by their first action. */
export function waitingGroups(waiting: readonly WaitingApproval[]): readonly WaitingGroup[] {
  const groups = new Map<string, WaitingGroup & { readonly intents: Intent[] }>();
  for (const each of waiting) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...each, key, intents: [each.intent] });
    else group.intents.push(each.intent);
  }
  return [...groups.values()];
}

/** The requester chooses the id of a batch, so it may contain others' actions. */
function keyOf({ intent, isOwn, whyNot }: WaitingApproval): string {
  const { id, batch, actor, action, controller, object } = intent;
  if (batch === undefined) return id;
  return JSON.stringify([batch, actor, isOwn, whyNot, action.kind, controller, object.kind]);
}
