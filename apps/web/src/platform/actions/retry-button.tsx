"use client";
import { ActionButton } from "./action-button.tsx";
import { type NodeTarget, nodeAction } from "./action-choice.ts";

export type RetryTarget = NodeTarget;

/** Asks the leader to look at a node at once, before everything else. Whoever may not sees why. */
export function RetryButton({ target }: { readonly target: RetryTarget }) {
  return <ActionButton choice={nodeAction(target, "retry")} appearance="primary" />;
}
