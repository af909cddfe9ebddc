"use client";
import { Button, Caret } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { LazyMenu } from "../../components/menu/lazy-menu.tsx";
import type { ExportedView } from "./export-address.ts";

const loadItems = () => import("./export-items.tsx").then(({ ExportItems }) => ExportItems);

/** Exports exactly what the list's filter selects, in its order. */
export function ExportMenu({
  of,
  what,
}: {
  readonly of: ExportedView;
  /** The name of the list, for screen readers; absent where the page has only one. */
  readonly what?: string;
}) {
  const button = (
    <Button>
      {mixed`Export${<Caret />}`}
      {what === undefined ? null : <span className="visually-hidden"> {what}</span>}
    </Button>
  );
  return <LazyMenu button={button} load={loadItems} menu={{ of }} />;
}
