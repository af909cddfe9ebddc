"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type KeyboardEvent, useId } from "react";
import { Button } from "../../../components/button/button.tsx";
import { closeDialog } from "../dialog-store.ts";
import { GatedButton } from "../gated-button.tsx";
import styles from "./action-dialog.module.css";

/**
 * Cancel and confirm. Irreversible actions have no submit button, ignore Enter and focus Cancel, so that pressing Enter once too often does
 * nothing.
 */
export function FormButtons({
  text,
  isDestructive,
  isRequested,
  whyNot,
  onConfirm,
}: {
  readonly text: string;
  readonly isDestructive: boolean;
  readonly isRequested: boolean;
  readonly whyNot: string | undefined;
  readonly onConfirm: () => void;
}) {
  const hint = useId();
  const withoutEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter") event.preventDefault();
  };
  return (
    <div className="buttons centred at-end">
      {isDestructive ? (
        <p id={hint} className={styles.hint}>
          {t`With the keyboard: press Space on the button. Enter does not confirm this.`}
        </p>
      ) : null}
      <Button onClick={closeDialog} data-autofocus={isDestructive ? true : undefined}>
        {isRequested ? t`Close` : t`Cancel`}
      </Button>
      {isDestructive ? (
        <GatedButton
          appearance="danger"
          whyNot={whyNot}
          onClick={onConfirm}
          onKeyDown={withoutEnter}
          aria-describedby={whyNot === undefined ? hint : undefined}
        >
          {text}
        </GatedButton>
      ) : (
        <GatedButton appearance="primary" type="submit" whyNot={whyNot}>
          {text}
        </GatedButton>
      )}
    </div>
  );
}
