"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { WebhookView } from "@cloudwright/store/views/webhooks";
import { useMutation } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { AskingForm, FormDialog, WhyField } from "../../../components/form/form.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { useReread } from "../../../components/use-reread.ts";
import { SecretOnce } from "./secret-once.tsx";
import { AddWebhook, ChangeWebhook } from "./webhook-form.tsx";

export type WebhookTask =
  | { readonly kind: "add" }
  | {
      readonly kind: "change" | "secret" | "remove";
      readonly webhook: WebhookView;
      /** The button whose menu opened the dialog. */
      readonly opener: HTMLElement | undefined;
    };

/** The dialogs for a webhook. */
export function WebhookDialog({
  task,
  isOpen,
  onClose,
}: {
  /** Kept while the dialog fades out, because its text depends on it. */
  readonly task: WebhookTask | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  if (task === undefined) return null;
  const opener = task.kind === "add" ? undefined : task.opener;
  return (
    <FormDialog title={titleOf(task)} {...{ isOpen, opener, onClose }}>
      <TaskForm task={task} onClose={onClose} />
    </FormDialog>
  );
}

function titleOf(task: WebhookTask): string {
  switch (task.kind) {
    case "add":
      return t`Add a webhook`;
    case "change":
      return t`Change ${task.webhook.name}`;
    case "secret":
      return t`New secret for ${task.webhook.name}`;
    case "remove":
      return t`Remove ${task.webhook.name}`;
  }
}

function TaskForm({ task, onClose }: { readonly task: WebhookTask; readonly onClose: () => void }) {
  switch (task.kind) {
    case "add":
      return <AddWebhook onClose={onClose} />;
    case "change":
      return <ChangeWebhook webhook={task.webhook} onClose={onClose} />;
    case "secret":
      return <NewSecret webhook={task.webhook} onClose={onClose} />;
    case "remove":
      return <RemoveWebhook webhook={task.webhook} onClose={onClose} />;
  }
}

interface FormProps {
  readonly webhook: WebhookView;
  readonly onClose: () => void;
}

function NewSecret({ webhook, onClose }: FormProps) {
  const api = useApi();
  const reread = useReread("webhooks");
  const rotate = useMutation(api.webhooks.rotateSecret.mutationOptions({ onSuccess: reread }));
  if (rotate.data !== undefined) {
    return <SecretOnce name={webhook.name} secret={rotate.data.secret} onClose={onClose} />;
  }
  return (
    <AskingForm
      button={t`Create a new secret`}
      state={rotate}
      onCancel={onClose}
      onSubmit={({ text }) => rotate.mutate({ id: webhook.id, why: text("why") })}
    >
      <p>
        {t`Messages are signed with both secrets for a day, so that the receiver has time to
          switch to the new one. After that the old one is no longer used.`}
      </p>
      <WhyField />
    </AskingForm>
  );
}

function RemoveWebhook({ webhook, onClose }: FormProps) {
  const api = useApi();
  const reread = useReread("webhooks");
  const remove = useMutation(
    api.webhooks.remove.mutationOptions({
      onSuccess: () => {
        reread();
        onClose();
      },
    }),
  );
  return (
    <AskingForm
      button={t`Remove webhook`}
      appearance="danger"
      state={remove}
      onCancel={onClose}
      onSubmit={({ text }) => remove.mutate({ id: webhook.id, why: text("why") })}
    >
      <p>
        {mixed`Nothing more is sent to ${<code>{webhook.origin}</code>}, and the list of its
          deliveries is deleted as well. To stop it for a while, pause it instead.`}
      </p>
      <WhyField />
    </AskingForm>
  );
}
