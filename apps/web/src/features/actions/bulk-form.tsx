"use client";
import { objectName } from "@cloudwright/core/model/object-ref";
import { type FormEvent, useEffect, useState } from "react";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import styles from "./action-dialog.module.css";
import { ACTION_KINDS } from "./action-kinds.ts";
import { type BulkChoice, bulkCount, bulkThings, bulkVerb, targetKey } from "./bulk-choice.ts";
import { type BulkStanding, bulkSentence, isConfirmable, standingOf } from "./bulk-rows.ts";
import { ReasonField } from "./dialog-fields.tsx";
import { closeDialog } from "./dialog-store.ts";
import { FormButtons } from "./form-buttons.tsx";
import { useBulkRetry } from "./use-bulk-retry.ts";
import { useLate } from "./use-late.ts";
import { useSilence } from "./use-silence.ts";

/** Retries of many: the plan of each first, then all that it speaks for. */
export function BulkForm({ choice }: { readonly choice: BulkChoice }) {
  const { rows, confirm, isSending } = useBulkRetry(choice);
  const [why, setWhy] = useState(ACTION_KINDS.retry.usualReason ?? "");
  const [tried, setTried] = useState(false);
  const standings = rows.map(standingOf);
  const isOver = standings.every(({ kind }) => kind === "done" || kind === "leftOut");
  const isAsked = standings.some(({ kind }) => kind === "waiting" || kind === "done");
  const { onDone } = choice;
  useEffect(() => {
    if (!isOver || !isAsked) return;
    onDone();
    closeDialog();
  }, [isOver, isAsked, onDone]);
  const count = standings.filter(isConfirmable).length;
  const whyNot = whyNotNow(standings, isSending) ?? noneOf(standings, choice);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (whyNot === undefined && why.trim() !== "") void confirm(why.trim());
  };
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <section className={styles.effect} aria-label="Effect now">
        <p role="status" className={styles.fact}>
          {bulkSentence(standings, choice)}
        </p>
        <Late isAsking={standings.some(({ kind }) => kind === "asking")} />
      </section>
      <section className={styles.list} aria-label={`The ${bulkThings(choice)}`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
        <ul tabIndex={0} aria-label={`The ${bulkThings(choice)}, each with its plan`}>
          {rows.map(({ target }, index) => (
            <li key={targetKey(target)}>
              <strong>{objectName(target.object)}</strong>
              <span className={styles.because}>{keepUnits(standings[index]?.text ?? "")}</span>
            </li>
          ))}
        </ul>
      </section>
      <ReasonField
        value={why}
        problem={
          tried && why.trim() === "" ? "Write why: it is kept in the audit record." : undefined
        }
        isFirst
        onChange={setWhy}
      />
      <FormButtons
        text={isAsked ? `Ask again for ${bulkCount(choice, count)}` : bulkVerb(choice, count)}
        isDestructive={false}
        isAsked={isAsked}
        whyNot={whyNot}
        onConfirm={() => undefined}
      />
    </form>
  );
}

function whyNotNow(standings: readonly BulkStanding[], isSending: boolean): string | undefined {
  if (isSending) return "It is being asked for.";
  if (standings.some(({ kind }) => kind === "asking")) return "Not all plans are known yet.";
  if (standings.some(({ kind }) => kind === "waiting")) return "It has been asked for.";
  return undefined;
}

function noneOf(standings: readonly BulkStanding[], choice: BulkChoice): string | undefined {
  if (standings.some(isConfirmable)) return undefined;
  return `None of these ${bulkThings(choice)} can be retried now.`;
}

function Late({ isAsking }: { readonly isAsking: boolean }) {
  const isLate = useLate("bulk");
  const silence = useSilence();
  return isLate && isAsking ? <p className={styles.error}>{silence}</p> : null;
}
