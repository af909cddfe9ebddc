"use client";
import { t } from "@cloudwright/core/model/language/text";
import {
  CONDITION_NAMES,
  CONDITIONS,
  type Condition,
  MINUTES_MOST,
  type Rules,
  rulesSchema,
  WEBHOOK_FORMS,
  webhookFormSchema,
} from "@cloudwright/core/model/notifications";
import { roleIncludes } from "@cloudwright/core/model/roles";
import type { WebhookView } from "@cloudwright/store/views/webhooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { z } from "zod/mini";
import { useApi } from "../../../components/api.ts";
import { AskingForm, Field, type FormFields, WhyField } from "../../../components/form/form.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { useReread } from "../../../components/use-reread.ts";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import styles from "../settings.module.css";
import own from "./notifications.module.css";
import { SecretOnce } from "./secret-once.tsx";
import { FORM_LABELS } from "./webhook-words.ts";

export function AddWebhook({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const reread = useReread("webhooks");
  const create = useMutation(api.webhooks.create.mutationOptions({ onSuccess: reread }));
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  if (create.data !== undefined) {
    return <SecretOnce name={name} secret={create.data.secret} onClose={onClose} />;
  }
  const submit = (fields: FormFields) => {
    const settings = settingsOf(fields);
    setProblem(problemOf(settings.rules));
    if (problemOf(settings.rules) !== undefined) return;
    setName(settings.name);
    const cluster = fields.text("cluster");
    create.mutate({
      ...{ ...settings, url: fields.text("url") ?? "" },
      ...(cluster === undefined ? {} : { cluster }),
    });
  };
  return (
    <AskingForm button={t`Add webhook`} state={create} onCancel={onClose} onSubmit={submit}>
      <ClusterField />
      <WebhookFields problem={problem} />
    </AskingForm>
  );
}

export function ChangeWebhook({
  webhook,
  onClose,
}: {
  readonly webhook: WebhookView;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const reread = useReread("webhooks");
  const [problem, setProblem] = useState<string>();
  const change = useMutation(
    api.webhooks.change.mutationOptions({
      onSuccess: () => {
        reread();
        onClose();
      },
    }),
  );
  const submit = (fields: FormFields) => {
    const settings = settingsOf(fields);
    setProblem(problemOf(settings.rules));
    if (problemOf(settings.rules) !== undefined) return;
    const url = fields.text("url");
    change.mutate({ id: webhook.id, ...settings, ...(url === undefined ? {} : { url }) });
  };
  return (
    <AskingForm button={t`Save`} state={change} onCancel={onClose} onSubmit={submit}>
      <WebhookFields webhook={webhook} problem={problem} />
    </AskingForm>
  );
}

function settingsOf(fields: FormFields) {
  return {
    name: fields.text("name") ?? "",
    form: z.catch(webhookFormSchema, "cloudwright").parse(fields.text("form")),
    rules: rulesOf(fields),
    why: fields.text("why"),
  };
}

function rulesOf({ text, ticked }: FormFields): Rules {
  const chosen = ticked("condition");
  const entries = CONDITION_NAMES.filter((name) => chosen.includes(name)).map((name) => {
    const isTimed = CONDITIONS[name].usualMinutes !== undefined;
    return [name, isTimed ? { afterMinutes: Number(text(`minutes-${name}`)) } : {}];
  });
  return z.catch(rulesSchema, {}).parse(Object.fromEntries(entries));
}

function problemOf(rules: Rules): string | undefined {
  return Object.keys(rules).length === 0
    ? t`Choose at least one condition, with a whole number of minutes.`
    : undefined;
}

function WebhookFields({
  webhook,
  problem,
}: {
  readonly webhook?: WebhookView;
  readonly problem: string | undefined;
}) {
  const isNew = webhook === undefined;
  return (
    <>
      <Field
        label={t`Name`}
        name="name"
        required
        maxLength={80}
        autoComplete="off"
        defaultValue={webhook?.name}
        data-autofocus
      />
      <Field
        label="URL"
        note={isNew ? undefined : t`${webhook.origin}, unless you enter another one`}
        name="url"
        type="url"
        required={isNew}
        maxLength={2000}
        autoComplete="off"
        placeholder="https://"
      />
      <FormField usual={webhook?.form ?? "cloudwright"} />
      <Conditions rules={webhook?.rules} />
      {problem === undefined ? null : (
        <p role="alert" className="failure">
          {problem}
        </p>
      )}
      <WhyField />
    </>
  );
}

function FormField({ usual }: { readonly usual: WebhookView["form"] }) {
  const id = useId();
  return (
    <div className={`grid gap-1 ${styles.field}`}>
      <label htmlFor={id}>{t`Message format`}</label>
      <select
        id={id}
        name="form"
        className={`narrows pad-0-3 on-surface ${styles.input}`}
        defaultValue={usual}
      >
        {WEBHOOK_FORMS.map((form) => (
          <option key={form} value={form}>
            {FORM_LABELS[form]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** For admins: a cluster's webhook belongs to everybody there. Other users have only their own. */
function ClusterField() {
  const id = useId();
  const { role } = useViewer();
  const isAdmin = roleIncludes(role, "admin");
  const api = useApi();
  const clusters = useQuery(api.clusters.list.queryOptions(undefined, { enabled: isAdmin }));
  if (!isAdmin) {
    return (
      <p className="quiet small light">
        {t`It is your own, and is notified about the clusters that you may see. A cluster's
          webhooks are added by an admin.`}
      </p>
    );
  }
  return (
    <div className={`grid gap-1 ${styles.field}`}>
      <label htmlFor={id}>{t`About`}</label>
      <select
        id={id}
        name="cluster"
        className={`narrows pad-0-3 on-surface ${styles.input}`}
        defaultValue=""
      >
        <option value="">{t`The clusters that I may see (my own webhook)`}</option>
        {(clusters.data ?? []).map((cluster) => (
          <option key={cluster.id} value={cluster.id}>
            {t`${cluster.name} (shared by its users)`}
          </option>
        ))}
      </select>
    </div>
  );
}

function Conditions({ rules }: { readonly rules: Rules | undefined }) {
  return (
    <fieldset className={`stack pad-0 flush frameless ${styles.choices}`}>
      <legend>{t`Notify when`}</legend>
      {CONDITION_NAMES.map((name) => (
        <ConditionRow key={name} name={name} rules={rules} />
      ))}
    </fieldset>
  );
}

function ConditionRow({
  name,
  rules,
}: {
  readonly name: Condition;
  readonly rules: Rules | undefined;
}) {
  const { label, usualMinutes } = CONDITIONS[name];
  const rule = rules?.[name];
  const [isChosen, setChosen] = useState(
    rules === undefined ? name !== "drift" : rule !== undefined,
  );
  const minutes = rule !== undefined && "afterMinutes" in rule ? rule.afterMinutes : usualMinutes;
  return (
    <div className={`flex wrap centred gap-2 ${own.condition}`}>
      <label className={`flex centred gap-2 ${styles.option}`}>
        <input
          type="checkbox"
          name="condition"
          value={name}
          checked={isChosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.checked)}
        />
        {label}
      </label>
      {usualMinutes === undefined ? null : (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is in the middle of the sentence.
        <label className="flex centred gap-2 quiet">
          {mixed`for longer than ${(
            <input
              type="number"
              name={`minutes-${name}`}
              aria-label={t`${label}: for longer than this many minutes`}
              className={`on-surface ${own.minutes}`}
              min={1}
              max={MINUTES_MOST}
              step={1}
              required={isChosen}
              disabled={!isChosen}
              defaultValue={minutes}
            />
          )} min`}
        </label>
      )}
    </div>
  );
}
