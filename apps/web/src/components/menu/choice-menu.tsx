"use client";
import { Button, Caret } from "../button/button.tsx";
import type { Choices } from "./choice-items.tsx";
import { LazyMenu } from "./lazy-menu.tsx";

const load = () => import("./choice-items.tsx").then(({ ChoiceItems }) => ChoiceItems);

/** A menu of choices that can be switched on and off; it stays open while the user chooses. */
export function ChoiceMenu({ label, ...menu }: Choices & { readonly label: string }) {
  const isMarked = menu.chosen.size > 0;
  const button = (
    <Button active={isMarked}>
      {label}
      {isMarked ? ` · ${menu.chosen.size}` : null}
      <Caret />
    </Button>
  );
  return <LazyMenu button={button} load={load} menu={menu} />;
}
