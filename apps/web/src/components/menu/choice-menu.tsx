"use client";
import { Button, Caret } from "../button/button.tsx";
import type { Choices } from "./choice-items.tsx";
import { LazyMenu } from "./lazy-menu.tsx";

const load = () => import("./choice-items.tsx").then(({ ChoiceItems }) => ChoiceItems);

/** A menu in which any number of choices can be on; it stays open while one chooses. */
export function ChoiceMenu({
  label,
  isQuiet = false,
  ...menu
}: Choices & {
  readonly label: string;
  /** Being chosen is the normal state and not marked. */
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
