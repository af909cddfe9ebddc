import type { Intent } from "@cloudwright/core/model/intent";
import type { Claimant } from "@cloudwright/core/reconcile/ports";

/** Which intents this process works on: they are neither offered nor claimed again. */
export interface OwnClaims {
  has(intentId: string, claim: string): boolean;
  add(intentId: string, claim: string): void;
  remove(intentId: string): void;
}

export function ownClaims(): OwnClaims {
  const claims = new Map<string, string>();
  return {
    has: (intentId, claim) => claims.get(intentId) === claim,
    add: (intentId, claim) => claims.set(intentId, claim),
    remove: (intentId) => claims.delete(intentId),
  };
}

/**
 * Chooses from the open intents those to offer now: one that nobody has claimed with every look, one that somebody has
 * claimed once for that claim, and this process's own never.
 */
export function createOffers(own: OwnClaims): (open: readonly Intent[]) => readonly Intent[] {
  let offered = new Map<string, string>();
  return (open) => {
    const chosen = open.filter(
      (intent) => isUnclaimed(intent) || isNews(intent, offered.get(intent.id), own),
    );
    offered = new Map(open.map((intent) => [intent.id, claimText(intent)]));
    return chosen;
  };
}

export function claimBy(claimant: Claimant): string {
  return `${claimant.identity}/${claimant.leaseTransitions}`;
}

function isUnclaimed(intent: Intent): boolean {
  return intent.state === "requested";
}

function isNews(intent: Intent, offeredFor: string | undefined, own: OwnClaims): boolean {
  const claim = claimText(intent);
  return offeredFor !== claim && !own.has(intent.id, claim);
}

function claimText(intent: Intent): string {
  return claimBy({
    identity: intent.claimedBy ?? "",
    leaseTransitions: intent.claimedTransition ?? -1,
  });
}
