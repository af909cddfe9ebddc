"use client";
import { useId } from "react";
import { Button } from "../../components/button/button.tsx";
import { CopyTextButton } from "../../components/button/copy-button.tsx";
import { ClockText, TimeText } from "../../components/time/time-text.tsx";
import styles from "./settings.module.css";

/** A link that signs somebody in: shown once, because only its hash is kept. */
export function OneTimeLink({
  name,
  link: { url, expiresAt },
  onClose,
}: {
  readonly name: string;
  readonly link: { readonly url: string; readonly expiresAt: number };
  readonly onClose: () => void;
}) {
  const id = useId();
  return (
    <div className={styles.form}>
      <p role="status">
        Give this link to {name} in a way that only they can read. It signs in whoever opens it
        first, works once, and is not shown again.
      </p>
      <div className={`grid gap-1 ${styles.field}`}>
        <label htmlFor={id}>Sign-in link of {name}</label>
        <input
          id={id}
          className={`narrows pad-0-3 on-surface ${styles.input}`}
          readOnly
          value={url}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <span className="quiet small light">
          Works until <ClockText at={expiresAt} /> (<TimeText at={expiresAt} />
          ).
        </span>
      </div>
      <div className="buttons at-end">
        <CopyTextButton label="Copy link" text={() => url} />
        <Button appearance="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
