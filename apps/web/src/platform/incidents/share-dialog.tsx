"use client";
import { t } from "@cloudwright/core/model/language/text";
import { INCIDENT_TITLE_MOST, type IncidentAbout } from "@cloudwright/store/views/incidents";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { CopyTextButton } from "../../components/button/copy-button.tsx";
import { AskingForm, Field, FormDialog } from "../../components/form/form.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useReread } from "../../components/use-reread.ts";
import styles from "./share-dialog.module.css";

interface Props {
  readonly about: IncidentAbout;
  readonly name: string;
  readonly onClose: () => void;
}

export function ShareDialog({
  isOpen,
  opener,
  ...props
}: Props & { readonly isOpen: boolean; readonly opener: HTMLElement | undefined }) {
  const { onClose } = props;
  return (
    <FormDialog title={t`Share what you see`} {...{ isOpen, opener, onClose }}>
      <ShareForm {...props} />
    </FormDialog>
  );
}

/** Reopening the dialog starts afresh, because its content is unmounted. */
function ShareForm({ about, name, onClose }: Props) {
  const api = useApi();
  const cluster = useClusterId();
  const changed = useReread("incidents");
  const share = useMutation(api.incidents.share.mutationOptions({ onSuccess: changed }));
  if (share.data !== undefined) return <SharedLink id={share.data.id} onClose={onClose} />;
  return (
    <AskingForm
      button={t`Freeze and get the link`}
      state={share}
      onCancel={onClose}
      onSubmit={({ text }) => share.mutate({ cluster, about, title: text("title") })}
    >
      <p className="flush">
        {mixed`This keeps what is known about ${name} at this moment: the sentence, state, plan
          and calls, and the recent runs and audit entries. The page then no longer changes, and
          everybody who may see this cluster can open it.`}
      </p>
      <Field
        label={t`Title`}
        note={t`optional`}
        name="title"
        maxLength={INCIDENT_TITLE_MOST}
        placeholder={t`INC-88: nodes of zone a stay tainted`}
        autoComplete="off"
        data-autofocus
      />
    </AskingForm>
  );
}

function SharedLink({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const field = useId();
  const cluster = useClusterId();
  const link = `${window.location.origin}${addresses.sharedIncident(id)}`;
  return (
    <div className="grid gap-3">
      <p className="flush" role="status">
        {t`It is frozen. Whoever opens the link signs in and needs access to this cluster.`}
      </p>
      <div className="grid gap-1">
        <label htmlFor={field} className="bold">
          {t`Link`}
        </label>
        <input
          id={field}
          className={`narrows pad-0-3 on-surface ${styles.link}`}
          readOnly
          value={link}
          spellCheck={false}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      <div className="buttons centred at-end">
        <Link href={addresses.incident(cluster, id)}>{t`Open it`}</Link>
        <CopyTextButton label={t`Copy link`} text={() => link} />
        <Button appearance="primary" onClick={onClose}>
          {t`Done`}
        </Button>
      </div>
    </div>
  );
}
