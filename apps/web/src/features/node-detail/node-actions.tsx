"use client";
import type { NodeDetail } from "@cloudwright/store/views";
import { Menu } from "@mantine/core";
import { useRef } from "react";
import { Button } from "../../components/button.tsx";
import { ActionButton } from "../actions/action-button.tsx";
import { dryRun, type NodeTarget, nodeAction } from "../actions/action-choice.ts";
import { openDialog } from "../actions/dialog-store.ts";
import { RetryButton } from "../actions/retry-button.tsx";
import { useWhyNot } from "../actions/use-leave.ts";
import { holdOf } from "./ending.ts";
import styles from "./node-page.module.css";

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
  return (
    <div className={styles.actions}>
      <RetryButton target={target} />
      <ActionButton choice={dryRun(target)}>Dry run</ActionButton>
      <ActionButton choice={nodeAction(target, isHeld ? "release" : "hold")}>
        {isHeld ? "Release…" : "Hold…"}
      </ActionButton>
      <MoreActions target={target} />
    </div>
  );
}

function MoreActions({ target }: { readonly target: NodeTarget }) {
  const whyNot = useWhyNot("override");
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button ref={button} aria-label="More actions">
          <svg width="14" height="4" viewBox="0 0 14 4" aria-hidden="true" fill="currentColor">
            <circle cx="2" cy="2" r="1.6" />
            <circle cx="7" cy="2" r="1.6" />
            <circle cx="12" cy="2" r="1.6" />
          </svg>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          className={styles.item ?? ""}
          aria-disabled={whyNot !== undefined}
          closeMenuOnClick={whyNot === undefined}
          onClick={() => {
            if (whyNot !== undefined) return;
            const opener = button.current ?? undefined;
            openDialog({ choice: nodeAction(target, "override"), opener });
          }}
        >
          Override taint…
          <span className={styles.itemNote}>
            {whyNot ?? "Frees the node although it is not initialised."}
          </span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
