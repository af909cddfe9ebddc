"use client";
import type { Action } from "@cloudwright/core/model/actions/action";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../../../components/button/button.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { ClockText } from "../../../components/time/time-text.tsx";
import { Differences } from "../plan/differences.tsx";
import type { ShownPlan } from "../plan/plan-facts.ts";
import { PlanText } from "../plan/plan-text.tsx";
import styles from "./action-dialog.module.css";
import { useSilence } from "./use-confirmation.ts";
import { type RequestedPreview, useLate } from "./use-preview.ts";

/** What would happen, as the leader planned it a moment ago, or why there is no plan. */
export function PreviewPanel({
  cluster,
  action,
  preview,
  moved,
}: {
  readonly cluster: string;
  readonly action: Action;
  readonly preview: RequestedPreview;
  /** The plan that was confirmed, and what it had become when the leader received it. */
  readonly moved?: { readonly from: ShownPlan | undefined; readonly to: ShownPlan } | undefined;
}) {
  const { state, requestedAt } = preview;
  if (moved !== undefined) {
    return (
      <section className={`stack pad-3-4 sunken ${styles.effect}`} aria-label={t`Effect now`}>
        <Differences from={moved.from} to={moved.to} />
        <PlanText cluster={cluster} action={action} plan={moved.to} />
      </section>
    );
  }
  return (
    <section
      className={`stack pad-3-4 sunken ${styles.effect}`}
      aria-label={t`Effect now`}
      aria-busy={state.kind === "asking"}
    >
      {state.kind === "answered" && requestedAt !== undefined ? (
        <p className={styles.computed}>
          {mixed`Effect now, planned ${<ClockText at={requestedAt} />}`}
        </p>
      ) : null}
      <div role="status">
        {state.kind === "asking" ? <Asking /> : null}
        {state.kind === "refused" ? (
          <p className={`stack pad-2-3 break on-stuck round-small ${styles.error}`}>
            {mixed`It would be refused now: ${keepUnits(state.sentence)}`}
          </p>
        ) : null}
        {state.kind === "failed" ? <Failed sentence={state.sentence} preview={preview} /> : null}
        {state.kind === "answered" ? (
          <PlanText cluster={cluster} action={action} plan={state.plan} />
        ) : null}
      </div>
    </section>
  );
}

function Asking() {
  const isLate = useLate("preview");
  const silence = useSilence();
  return (
    <p
      className={isLate ? `stack pad-2-3 break on-stuck round-small ${styles.error}` : styles.quiet}
    >
      {isLate ? t`${silence} The answer will appear here when it arrives.` : t`Asking the leader…`}
    </p>
  );
}

function Failed({
  sentence,
  preview,
}: {
  readonly sentence: string;
  readonly preview: RequestedPreview;
}) {
  return (
    <div className={`stack pad-2-3 break on-stuck round-small ${styles.error}`}>
      <p>{mixed`There is no plan: ${keepUnits(sentence)}`}</p>
      <Button onClick={preview.askAgain}>{t`Ask again`}</Button>
    </div>
  );
}
