"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Menu } from "@mantine/core";
import type { ReactNode } from "react";
import type { MenuButton } from "./lazy-menu.tsx";
import { OpenMenu } from "./open-menu.tsx";

export interface Choices {
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

export function ChoiceItems({
  button,
  choices,
  chosen,
  onToggle,
  children,
}: Choices & {
  readonly button: MenuButton;
  /** What stands below the choices. */
  readonly children?: ReactNode;
}) {
  return (
    <OpenMenu button={button} position="bottom-start" shadow="none" width={220} maxHeight={320}>
      {choices.length === 0 ? <Menu.Label>{t`Nothing to choose from yet`}</Menu.Label> : null}
      {choices.map((choice) => (
        <Menu.CheckboxItem
          key={choice.id}
          checked={chosen.has(choice.id)}
          checkIcon={<Check />}
          onChange={() => onToggle(choice.id)}
        >
          {choice.label}
        </Menu.CheckboxItem>
      ))}
      {children}
    </OpenMenu>
  );
}

function Check() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d="m2.6 7.4 2.9 2.9 5.9-6.6" fill="none" stroke="var(--accent)" strokeWidth="1.9" />
    </svg>
  );
}
