"use client";
import { Menu } from "@mantine/core";
import { Button } from "./button.tsx";

/** A menu in which any number of choices can be on; it stays open while one chooses. */
export function ChoiceMenu({
  label,
  choices,
  chosen,
  isQuiet = false,
  onToggle,
}: {
  readonly label: string;
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: ReadonlySet<string>;
  /** Being chosen is the normal state and not marked. */
  readonly isQuiet?: boolean;
  readonly onToggle: (id: string) => void;
}) {
  const isMarked = chosen.size > 0 && !isQuiet;
  return (
    <Menu position="bottom-start" shadow="none" width={220}>
      <Menu.Target>
        <Button active={isMarked}>
          {label}
          {isMarked ? ` · ${chosen.size}` : null}
          <Caret />
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        {choices.length === 0 ? <Menu.Label>Nothing to choose from yet</Menu.Label> : null}
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
      </Menu.Dropdown>
    </Menu>
  );
}

export function Caret() {
  return (
    <svg width="9" height="6" viewBox="0 0 9 6" aria-hidden="true">
      <path d="m1 1 3.5 3.5L8 1" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

function Check() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d="m2.6 7.4 2.9 2.9 5.9-6.6" fill="none" stroke="var(--accent)" strokeWidth="1.9" />
    </svg>
  );
}
