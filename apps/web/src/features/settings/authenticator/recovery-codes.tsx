"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../../../components/button/button.tsx";
import { CopyTextButton } from "../../../components/button/copy-button.tsx";
import settings from "../settings.module.css";
import styles from "./authenticator.module.css";

/** Shown once, because only their hashes are kept. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  return (
    <div className={settings.form}>
      <p role="status">
        {t`The app is on. Save these recovery codes where you can find them without your phone:
          each signs you in once in place of a code from the app. They are not shown again.`}
      </p>
      <ol className={`pad-3-4 flush mono sunken ${styles.codes}`} aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="buttons at-end">
        <CopyTextButton label={t`Copy codes`} text={() => codes.join("\n")} />
        <Button appearance="primary" onClick={onClose} data-autofocus>
          {t`I have saved them`}
        </Button>
      </div>
    </div>
  );
}
