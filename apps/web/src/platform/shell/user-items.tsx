"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Menu } from "@mantine/core";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import { forgetTrail } from "../../components/neighbours/kept-trail.ts";
import { changePreferences, usePreferences } from "../../components/preferences.ts";
import { useViewer } from "../viewer/viewer-context.tsx";

export function UserItems({ button }: { readonly button: MenuButton }) {
  const { email, role } = useViewer();
  const { shortcuts } = usePreferences();
  return (
    <OpenMenu button={button} position="bottom-end" width={240}>
      <Menu.Label>
        {email} · {role}
      </Menu.Label>
      <Menu.CheckboxItem
        checked={shortcuts}
        onChange={() => changePreferences((now) => ({ shortcuts: !now.shortcuts }))}
      >
        {t`Single-key shortcuts`}
      </Menu.CheckboxItem>
      <Menu.Divider />
      <form method="post" action="/sign-out" onSubmit={forgetTrail}>
        <Menu.Item component="button" type="submit">
          {t`Sign out`}
        </Menu.Item>
      </form>
    </OpenMenu>
  );
}
