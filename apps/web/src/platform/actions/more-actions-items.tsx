"use client";
import { Menu } from "@mantine/core";
import { type RefObject, useRef } from "react";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import styles from "../../components/page/detail-page.module.css";
import { type ActionChoice, openerOfChoice } from "./action-choice.ts";
import { openDialog } from "./dialog-store.ts";
import { useWhyNot } from "./use-leave.ts";

export interface MoreAction {
  readonly choice: ActionChoice;
  readonly note: string;
}

export function MoreActionsItems({
  button,
  items,
}: {
  readonly button: MenuButton;
  readonly items: readonly MoreAction[];
}) {
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <OpenMenu button={button} buttonRef={opener} position="bottom-end" width={280}>
      {items.map((item) => (
        <Item key={item.choice.kind} item={item} opener={opener} />
      ))}
    </OpenMenu>
  );
}

function Item({
  item: { choice, note },
  opener,
}: {
  readonly item: MoreAction;
  /** Receives the focus when the dialog closes. */
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
      {openerOfChoice(choice)}
      <span className={`block small quiet ${styles.itemNote}`}>{whyNot ?? note}</span>
    </Menu.Item>
  );
}
