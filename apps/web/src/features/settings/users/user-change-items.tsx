"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { UserView } from "@cloudwright/store/views/views";
import { Menu } from "@mantine/core";
import { useRef } from "react";
import type { MenuButton } from "../../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../../components/menu/open-menu.tsx";
import type { UserTask } from "./user-dialog.tsx";

export interface UserChanges {
  readonly user: UserView;
  readonly isOwn: boolean;
  readonly onTask: (task: UserTask) => void;
}

export function UserChangeItems({
  button,
  user,
  isOwn,
  onTask,
}: UserChanges & { readonly button: MenuButton }) {
  const opener = useRef<HTMLButtonElement>(null);
  const begin = (kind: UserTask["kind"]) => () =>
    onTask({ kind, user, opener: opener.current ?? undefined });
  return (
    <OpenMenu button={button} buttonRef={opener} position="bottom-end" width={240}>
      {user.isExternal ? (
        <Menu.Label>{groupsDecide(user)}</Menu.Label>
      ) : (
        <Menu.Item onClick={begin("role")}>{t`Change role…`}</Menu.Item>
      )}
      {user.clustersByGroups ? null : (
        <Menu.Item onClick={begin("clusters")}>{t`Change clusters…`}</Menu.Item>
      )}
      {isOwn || user.isExternal ? null : (
        <Menu.Item disabled={user.disabled} onClick={begin("password")}>
          {t`Reset password…`}
        </Menu.Item>
      )}
      {isOwn || user.authenticator === undefined ? null : (
        <Menu.Item onClick={begin("authenticator")}>{t`Remove authenticator app…`}</Menu.Item>
      )}
      <Menu.Item disabled={user.sessions === 0} onClick={begin("sessions")}>
        {t`End all sessions…`}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={begin(user.disabled ? "enable" : "disable")}>
        {user.disabled ? t`Enable again…` : t`Disable…`}
      </Menu.Item>
    </OpenMenu>
  );
}

function groupsDecide({ clustersByGroups }: UserView): string {
  return clustersByGroups
    ? t`Role and clusters follow groups at the identity provider`
    : t`The role follows groups at the identity provider`;
}
