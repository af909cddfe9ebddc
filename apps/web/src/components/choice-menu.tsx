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
    <Menu closeOnItemClick={false} position="bottom-start" shadow="none" width={220}>
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
          <Menu.Item
            key={choice.id}
            role="menuitemcheckbox"
            aria-checked={chosen.has(choice.id)}
            leftSection={<Check on={chosen.has(choice.id)} />}
            onClick={() => onToggle(choice.id)}
          >
            {choice.label}
          </Menu.Item>
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

function Check({ on }: { readonly on: boolean }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <rect
        x="0.75"
        y="0.75"
        width="12.5"
        height="12.5"
        rx="3"
        fill={on ? "var(--accent)" : "none"}
        stroke={on ? "var(--accent)" : "var(--line-control)"}
        strokeWidth="1.5"
      />
      {on ? (
        <path
          d="m3.8 7.2 2.2 2.2 4.2-4.6"
          fill="none"
          stroke="var(--accent-ink)"
          strokeWidth="1.7"
        />
      ) : null}
    </svg>
  );
}
