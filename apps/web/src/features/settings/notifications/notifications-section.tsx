"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { useFetched } from "../../../components/use-fetched.ts";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import { SettingsPanel } from "../settings-panel.tsx";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import type { WebhookTask } from "./webhook-dialog.tsx";
import { WebhooksTable } from "./webhooks-table.tsx";

const loadDialog = () => import("./webhook-dialog.tsx").then(({ WebhookDialog }) => WebhookDialog);

/** Where notifications are sent, what about, and the outcome. */
export function NotificationsSection() {
  return (
    <>
      <Webhooks />
      <DeliveriesPanel />
    </>
  );
}

function Webhooks() {
  const api = useApi();
  const webhooks = useQuery(api.webhooks.list.queryOptions());
  const [task, setTask] = useState<WebhookTask>();
  const [isOpen, setOpen] = useState(false);
  const Dialog = useFetched(loadDialog, task);
  const begin = useCallback((next: WebhookTask) => {
    setTask(next);
    setOpen(true);
  }, []);
  return (
    <SettingsPanel
      title={t`Webhooks`}
      aside={
        <span className="row">
          <ExportMenu of={{ list: "webhooks" }} />
          <Button appearance="primary" onClick={() => begin({ kind: "add" })}>
            {t`Add webhook…`}
          </Button>
        </span>
      }
    >
      {webhooks.data === undefined ? (
        <Pending query={webhooks} lines={3} />
      ) : webhooks.data.length === 0 ? (
        <EmptyState title={t`No webhooks yet`}>
          {t`Add one to be notified in a chat or by a program of your own when an object is stuck,
            the deletion guard holds deletions back, an action waits for approval, something has
            drifted, the audit chain is broken or a cluster stops reporting: once when it begins
            and once when it is over.`}
        </EmptyState>
      ) : (
        <WebhooksTable webhooks={webhooks.data} onTask={begin} />
      )}
      {Dialog === undefined ? null : (
        <Dialog task={task} isOpen={isOpen} onClose={() => setOpen(false)} />
      )}
    </SettingsPanel>
  );
}
