"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Menu } from "@mantine/core";
import { changePreferences } from "../preferences.ts";
import { ChoiceItems } from "./choice-items.tsx";
import { hiddenAtFirst, useHiddenColumns } from "./hidden-columns.ts";
import type { MenuButton } from "./lazy-menu.tsx";

/** The columns of a table that can be hidden, and the way back to those that everybody has at first. */
export function ColumnItems({
  button,
  table,
  columns,
}: {
  readonly button: MenuButton;
  readonly table: string;
  readonly columns: readonly {
    readonly id: string;
    readonly header: string;
    readonly pinned?: boolean;
  }[];
}) {
  const hidden = useHiddenColumns(table);
  const usual = hiddenAtFirst(table);
  const isUsual = hidden.size === usual.length && usual.every((id) => hidden.has(id));
  const choices = columns
    .filter(({ pinned }) => pinned !== true)
    .map(({ id, header }) => ({ id, label: header }));
  const hide = (ids: Iterable<string>) =>
    changePreferences(({ hiddenColumns }) => ({
      hiddenColumns: { ...hiddenColumns, [table]: [...ids] },
    }));
  const toggle = (id: string) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    hide(next);
  };
  return (
    <ChoiceItems
      button={button}
      choices={choices}
      chosen={new Set(choices.map(({ id }) => id).filter((id) => !hidden.has(id)))}
      onToggle={toggle}
    >
      {isUsual ? null : (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => hide(usual)}>{t`Show the usual columns`}</Menu.Item>
        </>
      )}
    </ChoiceItems>
  );
}
