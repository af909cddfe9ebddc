"use client";
import { t } from "@cloudwright/core/model/language/text";
import { ROLES, roleIncludes, roleSchema } from "@cloudwright/core/model/roles";
import type { ApiTokenKind } from "@cloudwright/store/views/api-tokens";
import { API_TOKEN_DAYS_MOST } from "@cloudwright/store/views/api-tokens";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { z } from "zod/mini";
import { useApi } from "../../../components/api.ts";
import { AskingForm, Field, type FormFields, WhyField } from "../../../components/form/form.tsx";
import { Pending } from "../../../components/page/panel-states.tsx";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import styles from "../settings.module.css";
import { ShownOnce } from "../shown-once.tsx";
import { ClusterChoice } from "../users/clusters-form.tsx";
import { useAskAgain } from "../users/use-users.ts";

interface Props {
  readonly kind: ApiTokenKind;
  readonly onClose: () => void;
}

/** Creates a token, then shows it once. */
export function CreateToken(props: Props) {
  const api = useApi();
  const clusters = useQuery(api.clusters.list.queryOptions());
  if (clusters.data === undefined) return <Pending query={clusters} lines={4} />;
  return <Create {...props} clusters={clusters.data} />;
}

const LIFETIMES = [
  { days: 7, label: () => t`7 days` },
  { days: 30, label: () => t`30 days` },
  { days: 90, label: () => t`90 days` },
  { days: API_TOKEN_DAYS_MOST, label: () => t`1 year` },
] as const;
const USUAL_DAYS = 90;

function Create({
  kind,
  onClose,
  clusters,
}: Props & { readonly clusters: readonly ClusterView[] }) {
  const api = useApi();
  const askAgain = useAskAgain();
  const [isRestricted, setRestricted] = useState(false);
  const create = useMutation(api.tokens.create.mutationOptions({ onSuccess: askAgain }));
  if (create.data !== undefined) {
    const { view, token } = create.data;
    return (
      <ShownOnce
        label={t`Token ${view.name}`}
        copy={t`Copy token`}
        value={token}
        expiresAt={view.expiresAt}
        look="secret"
        onClose={onClose}
      >
        {t`Copy the token now and keep it where only its program can read it. It is not shown
          again; only a hash of it is stored.`}
      </ShownOnce>
    );
  }
  const submit = ({ text, ticked }: FormFields) =>
    create.mutate({
      kind,
      name: text("name") ?? "",
      role: z.catch(roleSchema, "viewer").parse(text("role")),
      clusters: isRestricted ? [...ticked("cluster")] : "all",
      days: Number(text("days") ?? USUAL_DAYS),
      why: text("why"),
    });
  return (
    <AskingForm button={t`Create token`} state={create} onCancel={onClose} onSubmit={submit}>
      <Field
        label={t`Name`}
        note={t`what uses it`}
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <RoleChoice />
      <ClusterChoice
        all={kind === "personal" ? t`Everything that you may see` : t`All, including future ones`}
        chosen={[]}
        clusters={clusters}
        isRestricted={isRestricted}
        onRestrict={setRestricted}
      />
      <Choice label={t`Expires after`} name="days" usual={String(USUAL_DAYS)}>
        {LIFETIMES.map(({ days, label }) => (
          <option key={days} value={days}>
            {label()}
          </option>
        ))}
      </Choice>
      <WhyField />
    </AskingForm>
  );
}

function RoleChoice() {
  const { role } = useViewer();
  return (
    <Choice
      label={t`Role`}
      name="role"
      usual="viewer"
      note={t`Reading needs no more than the role viewer.`}
    >
      {ROLES.filter((each) => roleIncludes(role, each)).map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </Choice>
  );
}

function Choice({
  label,
  name,
  usual,
  note,
  children,
}: {
  readonly label: string;
  readonly name: string;
  readonly usual: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={`grid gap-1 ${styles.field}`}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        className={`narrows pad-0-3 on-surface ${styles.input}`}
        defaultValue={usual}
      >
        {children}
      </select>
      {note === undefined ? null : <span className="quiet small light">{note}</span>}
    </div>
  );
}
