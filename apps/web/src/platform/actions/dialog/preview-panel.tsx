"use client";
import type { Wish } from "@cloudwright/core/model/wish";
import { Button } from "../../../components/button/button.tsx";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { ClockText } from "../../../components/time/time-text.tsx";
import { Differences } from "../plan/differences.tsx";
import type { ShownPlan } from "../plan/plan-facts.ts";
import { PlanText } from "../plan/plan-text.tsx";
import styles from "./action-dialog.module.css";
import { useLate } from "./use-late.ts";
import type { PreviewAsked } from "./use-preview.ts";
import { useSilence } from "./use-silence.ts";

/** What would happen, as the leader planned it a moment ago, or why there is no plan. */
export function PreviewPanel({
  cluster,
  wish,
  preview,
  moved,
}: {
  readonly cluster: string;
  readonly wish: Wish;
  readonly preview: PreviewAsked;
  /** The plan that was confirmed, and the one that it had become by then. */
  readonly moved?: { readonly from: ShownPlan | undefined; readonly to: ShownPlan } | undefined;
}) {
  const { state, askedAt } = preview;
  if (moved !== undefined) {
    return (
      <section className={styles.effect} aria-label="Effect now">
        <Differences from={moved.from} to={moved.to} />
        <PlanText cluster={cluster} wish={wish} plan={moved.to} />
      </section>
    );
  }
  return (
    <section className={styles.effect} aria-label="Effect now" aria-busy={state.kind === "asking"}>
      {state.kind === "answered" && askedAt !== undefined ? (
        <p className={styles.computed}>
          Effect now, planned <ClockText at={askedAt} />
        </p>
      ) : null}
      <div role="status">
        {state.kind === "asking" ? <Asking /> : null}
        {state.kind === "refused" ? (
          <p className={styles.error}>It would be refused now: {keepUnits(state.sentence)}</p>
        ) : null}
        {state.kind === "failed" ? <Failed sentence={state.sentence} preview={preview} /> : null}
        {state.kind === "answered" ? (
          <PlanText cluster={cluster} wish={wish} plan={state.plan} />
        ) : null}
      </div>
    </section>
  );
}

function Asking() {
  const isLate = useLate("preview");
  const silence = useSilence();
  return (
    <p className={isLate ? styles.error : styles.quiet}>
      {isLate ? `${silence} An answer is still shown here when it comes.` : "Asking the leader…"}
    </p>
  );
}

function Failed({
  sentence,
  preview,
}: {
  readonly sentence: string;
  readonly preview: PreviewAsked;
}) {
  return (
    <div className={styles.error}>
      <p>There is no plan: {keepUnits(sentence)}</p>
      <Button onClick={preview.askAgain}>Ask again</Button>
    </div>
  );
}
