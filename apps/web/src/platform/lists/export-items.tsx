"use client";
import { Menu } from "@mantine/core";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import { type ExportedView, exportHref } from "./export-address.ts";

/** A file of exactly what the filter selects; it names the filter, the order and the time itself. */
export function ExportItems({
  button,
  of,
}: {
  readonly button: MenuButton;
  readonly of: ExportedView;
}) {
  return (
    <OpenMenu button={button} position="bottom-end" width={200}>
      <Menu.Label>Everything that matches the filter</Menu.Label>
      {(["csv", "json"] as const).map((format) => (
        <Menu.Item key={format} component="a" href={exportHref(of, format)} download>
          As {format.toUpperCase()}
        </Menu.Item>
      ))}
    </OpenMenu>
  );
}
