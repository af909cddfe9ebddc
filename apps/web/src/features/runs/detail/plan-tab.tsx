"use client";
import { changeSentence, notTakenSentence } from "@cloudwright/core/model/audit/change-messages";
import { t } from "@cloudwright/core/model/language/text";
import type { RunDetail } from "@cloudwright/store/views/views";
import { SentenceText } from "../../../components/evidence/sentence-text.tsx";
import { keyedChanges } from "../../../components/facts/diff-table.tsx";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { OUTCOME_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import { type Presentation, STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { useTimeLabels } from "../../../components/time/time-text.tsx";
import { type Fate, fateText } from "../../../platform/wording/plan-fate.ts";
import { fateOf } from "./compare-runs.ts";
import styles from "./run-page.module.css";

/** The plan in sentences: what was to be written and why, and what was considered and left out. */
export function PlanTab({ run }: { readonly run: RunDetail }) {
  const { changes, notTaken } = run;
  const time = useTimeLabels();
  if (changes.length === 0 && notTaken.length === 0) {
    return (
      <div className={page.card}>
        {isPlanned(run) ? (
          <EmptyState title={t`The plan was empty`}>
            {t`The actual state matched the desired state, so there was nothing to write.`}
          </EmptyState>
        ) : (
          <EmptyState title={t`There is no plan`}>
            {t`The run ended before it knew enough to make one, so nothing was written.`}
          </EmptyState>
        )}
      </div>
    );
  }
  return (
    <>
      {changes.length === 0 ? null : (
        <section className={page.card} aria-labelledby="plan-changes">
          <h2 id="plan-changes" className="card-title">
            {t`Changes`}
          </h2>
          <ol>
            {keyedChanges(changes).map(({ key, index, change }) => (
              <li key={key} className={`grid gap-3 pad-3-4 ${styles.item}`}>
                <StatusIcon status={FATE_PRESENTATION[fateOf(run, index)]} />
                <span>
                  <SentenceText text={changeSentence(change, time)} />
                </span>
                <span className="quiet light">{fateText(fateOf(run, index))}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {notTaken.length === 0 ? null : (
        <section className={page.card} aria-labelledby="plan-not-taken">
          <h2 id="plan-not-taken" className="card-title">
            {t`Considered and left out`}
          </h2>
          <ul>
            {notTaken.map((left) => (
              <li key={left.step} className={`grid gap-3 pad-3-4 ${styles.item}`}>
                <StatusIcon status={OUTCOME_PRESENTATION.unchanged} />
                <span>
                  <SentenceText text={notTakenSentence(left, time)} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const FATE_PRESENTATION = {
  applied: OUTCOME_PRESENTATION.changed,
  "not applied": STATE_PRESENTATION.gone,
  "not known whether applied": STATE_PRESENTATION.unknown,
} as const satisfies Record<Fate, Presentation>;

/** For a run that failed before planning, nobody knows what it would have planned. */
function isPlanned({ row }: RunDetail): boolean {
  return row.outcome === "changed" || row.outcome === "unchanged" || row.outcome === "waiting";
}
