"use client";
import { useId } from "react";
import { Button } from "../../../components/button/button.tsx";
import { CopyTextButton } from "../../../components/button/copy-button.tsx";
import styles from "../settings.module.css";

/** The secret that signs a webhook's messages: shown once, because it is kept encrypted. */
export function SecretOnce({
  name,
  secret,
  onClose,
}: {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const id = useId();
  return (
    <div className={styles.form}>
      <p role="status">
        Give this secret to the receiver: with it, it verifies that a message is from this
        dashboard. It is not shown again. Slack and its like need none.
      </p>
      <div className={`grid gap-1 ${styles.field}`}>
        <label htmlFor={id}>Secret of {name}</label>
        <input
          id={id}
          className={`narrows pad-0-3 on-surface mono ${styles.input}`}
          readOnly
          value={secret}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      <div className="buttons at-end">
        <CopyTextButton label="Copy secret" text={() => secret} />
        <Button appearance="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
