"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { WebhookView } from "@cloudwright/store/views/webhooks";
import { Menu } from "@mantine/core";
import { useRef } from "react";
import type { MenuButton } from "../../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../../components/menu/open-menu.tsx";
import type { WebhookTask } from "./webhook-dialog.tsx";

export interface WebhookChanges {
  readonly webhook: WebhookView;
  readonly onTask: (task: WebhookTask) => void;
  readonly onPause: (id: string, paused: boolean) => void;
}

export function WebhookItems({
  button,
  webhook,
  onTask,
  onPause,
}: WebhookChanges & { readonly button: MenuButton }) {
  const opener = useRef<HTMLButtonElement>(null);
  const begin = (kind: "change" | "secret" | "remove") => () =>
    onTask({ kind, webhook, opener: opener.current ?? undefined });
  const isRunning = webhook.pausedAt === undefined;
  return (
    <OpenMenu button={button} buttonRef={opener} position="bottom-end" width={200}>
      <Menu.Item onClick={begin("change")}>{t`Change…`}</Menu.Item>
      <Menu.Item onClick={() => onPause(webhook.id, isRunning)}>
        {isRunning ? t`Pause` : t`Resume`}
      </Menu.Item>
      <Menu.Item onClick={begin("secret")}>{t`New secret…`}</Menu.Item>
      <Menu.Item onClick={begin("remove")}>{t`Remove…`}</Menu.Item>
    </OpenMenu>
  );
}
