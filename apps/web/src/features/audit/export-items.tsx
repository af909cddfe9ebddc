"use client";
import { Menu } from "@mantine/core";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import { type AuditFilter, exportHref } from "./audit-url.ts";

/** A file of exactly what the filter selects; it names the filter and the part of the chain itself. */
export function ExportItems({
  button,
  chain,
  filter,
}: {
  readonly button: MenuButton;
  readonly chain: string;
  readonly filter: AuditFilter;
}) {
  return (
    <OpenMenu button={button} position="bottom-end" width={200}>
      <Menu.Label>Everything that matches the filter</Menu.Label>
      {(["csv", "json"] as const).map((format) => (
        <Menu.Item key={format} component="a" href={exportHref(chain, filter, format)} download>
          As {format.toUpperCase()}
        </Menu.Item>
      ))}
    </OpenMenu>
  );
}
