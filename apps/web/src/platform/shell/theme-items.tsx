"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { Menu, useMantineColorScheme } from "@mantine/core";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";

const THEMES = worded({
  auto: () => t`Same as system`,
  light: () => t`Light`,
  dark: () => t`Dark`,
});

export function ThemeItems({ button }: { readonly button: MenuButton }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <OpenMenu button={button} position="bottom-end" width={180}>
      {(["auto", "light", "dark"] as const).map((scheme) => (
        <Menu.RadioItem
          key={scheme}
          value={scheme}
          checked={colorScheme === scheme}
          closeMenuOnClick
          onChange={() => setColorScheme(scheme)}
        >
          {THEMES[scheme]}
        </Menu.RadioItem>
      ))}
    </OpenMenu>
  );
}
