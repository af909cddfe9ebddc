"use client";
import type { NodeDetail } from "@cloudwright/store/views";
import styles from "../../../components/detail-page.module.css";
import { ActionButton } from "../../../platform/actions/action-button.tsx";
import {
  dryRun,
  type NodeTarget,
  nodeAction,
  routeAdoption,
} from "../../../platform/actions/action-choice.ts";
import { MoreActions } from "../../../platform/actions/more-actions.tsx";
import { RetryButton } from "../../../platform/actions/retry-button.tsx";
import { holdOf } from "./ending.ts";
import { routesPart } from "./routes-part.ts";

/** What can be done with a node; what one may not do is there as well and says why. */
export function NodeActions({
  cluster,
  node,
}: {
  readonly cluster: string;
  readonly node: NodeDetail;
}) {
  const { row } = node;
  const target: NodeTarget = {
    cluster,
    controller: row.controller,
    name: row.name,
    uid: row.uid,
  };
  const isHeld = holdOf(node) !== undefined;
  const waiting = routesPart(node)?.reason;
  return (
    <div className={styles.actions}>
      {waiting?.code === "RouteUnowned" ? (
        <ActionButton choice={routeAdoption(target, waiting.id)}>Adopt…</ActionButton>
      ) : null}
      <RetryButton target={target} />
      <ActionButton choice={dryRun(target)}>Dry run</ActionButton>
      <ActionButton choice={nodeAction(target, isHeld ? "release" : "hold")}>
        {isHeld ? "Release…" : "Hold…"}
      </ActionButton>
      <MoreActions
        items={[
          {
            choice: nodeAction(target, "override"),
            label: "Override taint…",
            note: "Frees the node although it is not initialised.",
          },
        ]}
      />
    </div>
  );
}
