"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type ReactNode, useId } from "react";
import { Button } from "../../components/button/button.tsx";
import { CopyTextButton } from "../../components/button/copy-button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { ClockText, TimeText } from "../../components/time/time-text.tsx";
import styles from "./settings.module.css";

/** A credential to copy now, because it is not shown again. */
export function ShownOnce({
  label,
  copy,
  value,
  expiresAt,
  look = "text",
  onClose,
  children,
}: {
  readonly label: string;
  /** The button's label, such as `Copy token`. */
  readonly copy: string;
  readonly value: string;
  /** Milliseconds since the epoch; undefined if it does not expire. */
  readonly expiresAt?: number;
  /** A secret is read letter by letter. */
  readonly look?: "text" | "secret";
  readonly onClose: () => void;
  /** What to do with it. */
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.form}>
      <p role="status">{children}</p>
      <div className={`grid gap-1 ${styles.field}`}>
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          className={`narrows pad-0-3 on-surface ${look === "secret" ? styles.secret : styles.input}`}
          readOnly
          value={value}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        {expiresAt === undefined ? null : (
          <span className="quiet small light">
            {mixed`Works until ${<ClockText at={expiresAt} />} (${<TimeText at={expiresAt} />}).`}
          </span>
        )}
      </div>
      <div className="buttons at-end">
        <CopyTextButton label={copy} text={() => value} />
        <Button appearance="primary" onClick={onClose}>
          {t`Done`}
        </Button>
      </div>
    </div>
  );
}
