"use client";
import { Menu } from "@mantine/core";
import { type RefObject, useRef } from "react";
import { Button } from "../../components/button.tsx";
import styles from "../../components/detail-page.module.css";
import type { ActionChoice } from "./action-choice.ts";
import { openDialog } from "./dialog-store.ts";
import { useWhyNot } from "./use-leave.ts";

export interface MoreAction {
  readonly choice: ActionChoice;
  readonly label: string;
  readonly note: string;
}

/** What is seldom done, behind one button. Whoever may not ask for it sees why. */
export function MoreActions({ items }: { readonly items: readonly MoreAction[] }) {
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
        {items.map((item) => (
          <Item key={item.label} item={item} opener={button} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({
  item: { choice, label, note },
  opener,
}: {
  readonly item: MoreAction;
  /** Gets the focus back once the dialog is closed. */
  readonly opener: RefObject<HTMLButtonElement | null>;
}) {
  const whyNot = useWhyNot(choice.kind);
  return (
    <Menu.Item
      className={styles.item ?? ""}
      aria-disabled={whyNot !== undefined}
      closeMenuOnClick={whyNot === undefined}
      onClick={() => {
        if (whyNot !== undefined) return;
        openDialog({ choice, opener: opener.current ?? undefined });
      }}
    >
      {label}
      <span className={styles.itemNote}>{whyNot ?? note}</span>
    </Menu.Item>
  );
}
