"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useApi } from "../../../components/api.ts";
import { AskingForm, Field, FormDialog } from "../../../components/form/form.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import settings from "../settings.module.css";
import { useAskAgain, useDone } from "../users/use-users.ts";
import styles from "./authenticator.module.css";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** Adds the user's own authenticator app, or removes it. */
export function AuthenticatorDialog({
  task,
  isOpen,
  onClose,
}: {
  /** Kept while the dialog fades out, because its text depends on it. */
  readonly task: "add" | "remove";
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const Content = task === "add" ? Add : Remove;
  return (
    <FormDialog title={TITLES[task]} isOpen={isOpen} onClose={onClose}>
      <Content onClose={onClose} />
    </FormDialog>
  );
}

const TITLES = worded({
  add: () => t`Add an authenticator app`,
  remove: () => t`Remove your authenticator app`,
});

interface Props {
  readonly onClose: () => void;
}

/** First the password, then the QR code with the app's first code, then the recovery codes. */
function Add({ onClose }: Props) {
  const api = useApi();
  const askAgain = useAskAgain();
  // Secrets are discarded with the dialog.
  const begin = useMutation(api.people.beginAuthenticator.mutationOptions({ gcTime: 0 }));
  const confirm = useMutation(
    api.people.confirmAuthenticator.mutationOptions({ gcTime: 0, onSuccess: askAgain }),
  );
  if (confirm.data !== undefined) {
    return (
      <Step key="codes">
        <RecoveryCodes codes={confirm.data.recoveryCodes} onClose={onClose} />
      </Step>
    );
  }
  if (begin.data !== undefined) {
    return (
      <Step key="confirm">
        <AskingForm
          button={t`Turn on`}
          state={confirm}
          onCancel={onClose}
          onSubmit={({ secret }) => confirm.mutate({ code: secret("code") })}
        >
          <NewSecret {...begin.data} />
          <CodeField note={t`that the app shows now`} required data-autofocus />
        </AskingForm>
      </Step>
    );
  }
  return (
    <AskingForm
      button={t`Continue`}
      state={begin}
      onCancel={onClose}
      onSubmit={({ secret }) => begin.mutate({ password: secret("password") })}
    >
      <p className="second">
        {t`You need an app that shows codes (TOTP), such as the one in your password manager or on
          your phone. Your other sessions stay open.`}
      </p>
      <CurrentPassword required />
    </AskingForm>
  );
}

/** What the app scans or the user types into it. */
function NewSecret({ secret, uri }: { readonly secret: string; readonly uri: string }) {
  const id = useId();
  return (
    <>
      <p className="second">{t`Scan this with the app, then type the code that it shows.`}</p>
      <QrCode text={uri} label={t`QR code for the authenticator app`} />
      <details>
        <summary className="pointer">{t`Type the secret instead`}</summary>
        <div className={`grid gap-1 ${settings.field} ${styles.typed}`}>
          <label htmlFor={id}>
            {mixed`Secret
              ${<span className="quiet small light">{t`time based, 6 digits, every 30 seconds`}</span>}`}
          </label>
          <textarea
            id={id}
            className={`narrows pad-2-3 on-surface mono ${styles.secret}`}
            rows={2}
            readOnly
            value={secret.match(/.{1,4}/g)?.join(" ") ?? secret}
            spellCheck={false}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </div>
      </details>
    </>
  );
}

/** A new step of the dialog: the button that led here is gone, so the focus moves to the next control. */
function Step({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus(), []);
  return <div ref={box}>{children}</div>;
}

function Remove({ onClose }: Props) {
  const { id } = useViewer();
  const api = useApi();
  const done = useDone(onClose);
  const remove = useMutation(api.people.removeAuthenticator.mutationOptions({ onSuccess: done }));
  return (
    <AskingForm
      button={t`Remove app`}
      appearance="danger"
      state={remove}
      onCancel={onClose}
      onSubmit={({ secret, text }) => {
        const code = text("code");
        const proof = code === undefined ? { password: secret("password") } : { code };
        remove.mutate({ id, ...proof });
      }}
    >
      <p>
        {t`From then on your password alone signs you in, and your recovery codes stop
          working. Enter your password, or a code.`}
      </p>
      <CurrentPassword />
      <CodeField note={t`or a recovery code`} inputMode="text" />
    </AskingForm>
  );
}

function CurrentPassword({ required = false }: { readonly required?: boolean }) {
  const { email } = useViewer();
  return (
    <>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label={t`Your password`}
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        required={required}
        data-autofocus
      />
    </>
  );
}

function CodeField({
  note,
  ...input
}: {
  readonly note: string;
  readonly required?: boolean;
  readonly inputMode?: "text" | "numeric";
  readonly "data-autofocus"?: boolean;
}) {
  return (
    <Field
      label={t`Code`}
      note={note}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
      {...input}
    />
  );
}
