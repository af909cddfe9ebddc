"use client";
import { ActionButton } from "./action-button.tsx";
import { type NodeTarget, nodeAction } from "./action-choice.ts";

export type RetryTarget = NodeTarget;

/** Asks the leader to check a node at once, before everything else. Users who may not see why. */
export function RetryButton({ target }: { readonly target: RetryTarget }) {
  return <ActionButton choice={nodeAction(target, "retry")} appearance="primary" />;
}
