"use client";
import { Button, Caret } from "../button/button.tsx";
import type { Choices } from "./choice-items.tsx";
import { LazyMenu } from "./lazy-menu.tsx";

const load = () => import("./choice-items.tsx").then(({ ChoiceItems }) => ChoiceItems);

/** A menu of choices that can be switched on and off; it stays open while the user chooses. */
export function ChoiceMenu({
  label,
  isQuiet = false,
  ...menu
}: Choices & {
  readonly label: string;
  /** Chosen is the normal state, so the button does not count the choices. */
  readonly isQuiet?: boolean;
}) {
  const isMarked = menu.chosen.size > 0 && !isQuiet;
  const button = (
    <Button active={isMarked}>
      {label}
      {isMarked ? ` · ${menu.chosen.size}` : null}
      <Caret />
    </Button>
  );
  return <LazyMenu button={button} load={load} menu={menu} />;
}
