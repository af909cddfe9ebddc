"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { WebhookView } from "@cloudwright/store/views/webhooks";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../../components/api.ts";
import { Button, Caret } from "../../../components/button/button.tsx";
import { ChangeFailed } from "../../../components/form/form.tsx";
import { LazyMenu } from "../../../components/menu/lazy-menu.tsx";
import { RowStatus } from "../../../components/status/row-status.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { useReread } from "../../../components/use-reread.ts";
import styles from "../settings.module.css";
import type { WebhookTask } from "./webhook-dialog.tsx";
import { FORM_LABELS, rulesText, testSentence, webhookStatus } from "./webhook-words.ts";

/** Webhooks with their actions, and the result of the last test. */
export function WebhooksTable({
  webhooks,
  onTask,
}: {
  readonly webhooks: readonly WebhookView[];
  readonly onTask: (task: WebhookTask) => void;
}) {
  const api = useApi();
  const reread = useReread("webhooks");
  const test = useMutation(api.webhooks.test.mutationOptions({ onSettled: reread }));
  const pause = useMutation(api.webhooks.pause.mutationOptions({ onSettled: reread }));
  const { mutate: sendTest } = test;
  const { mutate: setPaused } = pause;
  const isBusy = test.isPending || pause.isPending;
  const columns = useMemo(
    () =>
      webhookColumns({
        isBusy,
        onTask,
        onTest: (id) => sendTest({ id }),
        onPause: (id, paused) => setPaused({ id, paused }),
      }),
    [isBusy, onTask, sendTest, setPaused],
  );
  return (
    <>
      <TestResult test={test} />
      <ChangeFailed error={pause.error} />
      <div className={`flex column narrows clip ${styles.table}`}>
        <DataTable
          label={t`Webhooks`}
          columns={columns}
          rows={webhooks}
          total={webhooks.length}
          rowKey={({ id }) => id}
        />
      </div>
    </>
  );
}

function TestResult({
  test,
}: {
  readonly test: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly data: Parameters<typeof testSentence>[0] | undefined;
  };
}) {
  if (test.error !== null) return <ChangeFailed error={test.error} />;
  if (test.isPending) return <p role="status">{t`Sending a test…`}</p>;
  if (test.data === undefined) return null;
  const isDelivered = test.data.state === "delivered";
  return (
    <p role={isDelivered ? "status" : "alert"} className={isDelivered ? undefined : "failure"}>
      <strong>{test.data.webhook.name}</strong>: {testSentence(test.data)}
    </p>
  );
}

interface ColumnsInput {
  readonly isBusy: boolean;
  readonly onTask: (task: WebhookTask) => void;
  readonly onTest: (id: string) => void;
  readonly onPause: (id: string, paused: boolean) => void;
}

function webhookColumns(input: ColumnsInput): readonly Column<WebhookView>[] {
  return [
    column(["name", t`Name`, 130, { pinned: true, narrow: "line" }], ({ name, createdBy }) => (
      <strong title={t`Added by ${createdBy}`}>{name}</strong>
    )),
    textColumn(["of", t`About`, 116], ({ cluster }) =>
      cluster === undefined ? t`your clusters` : cluster.name,
    ),
    textColumn(["origin", t`Sends to`, 170, { grows: true }], ({ origin }) => origin, {
      isCode: true,
    }),
    textColumn(["rules", t`When`, 210, { narrow: "line" }], ({ rules }) => rulesText(rules)),
    column(["form", t`Format`, 72], ({ form }) => (
      <span title={FORM_LABELS[form]}>{form === "slack" ? "Slack" : "JSON"}</span>
    )),
    column(["state", t`Last message`, 116, { narrow: "first" }], (webhook) => (
      <RowStatus status={webhookStatus(webhook)} />
    )),
    column(["change", t`Change`, 150, { align: "end", narrow: "second" }], (webhook) =>
      webhook.mayChange ? <RowButtons webhook={webhook} input={input} /> : null,
    ),
  ];
}

const loadItems = () => import("./webhook-items.tsx").then(({ WebhookItems }) => WebhookItems);

function RowButtons({
  webhook,
  input,
}: {
  readonly webhook: WebhookView;
  readonly input: ColumnsInput;
}) {
  const { id, name } = webhook;
  const change = (
    <Button appearance="quiet" className={styles.rowButton} aria-label={t`Change ${name}`}>
      {t`Change…`} <Caret />
    </Button>
  );
  const { onTask, onPause } = input;
  return (
    <span className="inline-flex gap-1">
      <Button
        appearance="quiet"
        className={styles.rowButton}
        aria-label={t`Send a test to ${name}`}
        disabled={input.isBusy}
        onClick={() => input.onTest(id)}
      >
        {t`Test`}
      </Button>
      <LazyMenu button={change} load={loadItems} menu={{ webhook, onTask, onPause }} />
    </span>
  );
}
