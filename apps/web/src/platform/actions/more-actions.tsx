"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../../components/button/button.tsx";
import { LazyMenu } from "../../components/menu/lazy-menu.tsx";
import type { MoreAction } from "./more-actions-items.tsx";

export type { MoreAction };

const load = () =>
  import("./more-actions-items.tsx").then(({ MoreActionsItems }) => MoreActionsItems);

/** Rare actions behind one button. Users who may not request one see why. */
export function MoreActions({ items }: { readonly items: readonly MoreAction[] }) {
  const button = (
    <Button aria-label={t`More actions`}>
      <svg width="14" height="4" viewBox="0 0 14 4" aria-hidden="true" fill="currentColor">
        <circle cx="2" cy="2" r="1.6" />
        <circle cx="7" cy="2" r="1.6" />
        <circle cx="12" cy="2" r="1.6" />
      </svg>
    </Button>
  );
  return <LazyMenu button={button} load={load} menu={{ items }} />;
}
