"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Menu } from "@mantine/core";
import { mixed } from "../../components/language/mixed-text.ts";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import { type ExportedView, exportHref } from "./export-address.ts";

/** The file formats for exactly what the filter selects; the file names the filter, the order and its time. */
export function ExportItems({
  button,
  of,
}: {
  readonly button: MenuButton;
  readonly of: ExportedView;
}) {
  return (
    <OpenMenu button={button} position="bottom-end" width={200}>
      <Menu.Label>{t`Everything that matches the filter`}</Menu.Label>
      {(["csv", "json"] as const).map((format) => (
        <Menu.Item key={format} component="a" href={exportHref(of, format)} download>
          {mixed`As ${format.toUpperCase()}`}
        </Menu.Item>
      ))}
    </OpenMenu>
  );
}
