import { type Intent, intentSchema } from "@cloudwright/core/model/actions/intent";
import type { ShownPlan } from "../plan/plan-facts.ts";

/** Returns an intent as the server does, with the given members replaced. */
export function intent(part: Partial<Intent> = {}): Intent {
  return intentSchema.parse({
    id: "i-1",
    cluster: "c-1",
    kind: "hold",
    action: { kind: "hold", until: 5 },
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-9", uid: "u-9" },
    why: "disk check",
    actor: "ana",
    state: "requested",
    requestedAt: 1,
    expiresAt: 2,
    ...part,
  });
}

export function shownPlan(part: Partial<ShownPlan> = {}): ShownPlan {
  return {
    planHash: "h-1",
    changes: [],
    notTaken: [],
    next: { kind: "settled", reason: { code: "InStep" } },
    ...part,
  };
}
