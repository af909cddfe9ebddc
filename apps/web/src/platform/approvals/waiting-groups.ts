import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { WaitingApproval } from "@cloudwright/store/views/approvals";

/** What one user asked for at once and waits for one decision: an action, or several of a batch that are alike. */
export interface WaitingGroup extends WaitingApproval {
  readonly key: string;
  /** All of them; the first is `intent`. */
  readonly intents: readonly Intent[];
}

/** In the order of their first ones. */
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

/** The id of a batch is chosen by whoever asks, so others may be in it. */
function keyOf({ intent, isOwn, whyNot }: WaitingApproval): string {
  const { id, batch, actor, action, controller, object } = intent;
  if (batch === undefined) return id;
  return JSON.stringify([batch, actor, isOwn, whyNot, action.kind, controller, object.kind]);
}
