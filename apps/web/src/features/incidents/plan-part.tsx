"use client";
import { t } from "@cloudwright/core/model/language/text";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { ClockText } from "../../components/time/time-text.tsx";
import { fateText } from "../../platform/wording/plan-fate.ts";
import { FrozenPart, FrozenTable } from "./frozen-table.tsx";
import { lasted, offsetText } from "./incident-words.ts";
import styles from "./incidents.module.css";
import type { WordedSnapshot } from "./worded-snapshot.ts";

type Plan = NonNullable<WordedSnapshot["plan"]>;

interface Props {
  readonly plan: Plan;
}

/** Plan and calls of the shared run, or of the object's last one. */
export function PlanPart({ plan, isRun }: Props & { readonly isRun: boolean }) {
  return (
    <>
      <FrozenPart title={isRun ? t`Plan of the run` : t`Plan of the last run`}>
        <div className="row pad-3-4">
          <StatusChip status={outcomePresentation(plan)} />
          <span>
            {plan.durationMs === undefined
              ? mixed`began ${<ClockText at={plan.startedAt} />}`
              : mixed`began ${<ClockText at={plan.startedAt} />}, took ${lasted(plan.durationMs)}`}
          </span>
        </div>
        <Changes plan={plan} />
      </FrozenPart>
      <Fields plan={plan} />
      <Calls plan={plan} />
    </>
  );
}

function Changes({ plan: { changes, notTaken, changesLeftOut } }: Props) {
  if (changes.length === 0 && notTaken.length === 0) {
    return <p className="quiet pad-3-4 flush line-above">{t`It planned no write.`}</p>;
  }
  return (
    <ul className={`flush pad-0 line-above ${styles.list}`} aria-label={t`Changes`}>
      {keyed(changes.map(({ sentence, fate }) => [sentence, fateText(fate)] as const)).map(
        ([key, sentence, fate]) => (
          <li key={key} className="row pad-2-4 apart">
            <span className="break">
              <SentenceText text={sentence} />
            </span>
            <span className="quiet small">{fate}</span>
          </li>
        ),
      )}
      {keyed(notTaken.map((sentence) => [sentence, t`left out`] as const)).map(
        ([key, sentence, fate]) => (
          <li key={key} className="row pad-2-4 apart">
            <span className="break second">{sentence}</span>
            <span className="quiet small">{fate}</span>
          </li>
        ),
      )}
      {changesLeftOut === 0 ? null : (
        <li className="quiet small pad-2-4">
          {changesLeftOut === 1 ? t`1 more change` : t`${formatCount(changesLeftOut)} more changes`}
        </li>
      )}
    </ul>
  );
}

/** Two changes may have the same text; their order never changes. */
function keyed<Fate>(lines: readonly (readonly [string, Fate])[]) {
  return lines.map(([sentence, fate], index) => [`${index} ${sentence}`, sentence, fate] as const);
}

function Fields({ plan: { changes } }: Props) {
  const rows = changes.flatMap(({ fields }, change) =>
    fields.map(({ path, before, after }) => ({
      key: `${change} ${path}`,
      cells: [path, <Value key="before" text={before} />, <Value key="after" text={after} />],
    })),
  );
  return (
    <FrozenTable
      title={t`Before and after`}
      columns={[t`Field`, t`Before`, t`After`]}
      rows={rows}
    />
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  if (text === undefined || text === "") return t`nothing`;
  return <code>{text}</code>;
}

function Calls({ plan: { calls, callsLeftOut } }: Props) {
  const rows = calls.map((call, index) => ({
    key: `${index} ${call.operation}`,
    cells: [
      <code key="operation">{call.operation}</code>,
      call.target,
      offsetText(call.offsetMs),
      lasted(call.durationMs),
      <Answer key="answer" call={call} />,
      call.requestId === undefined ? "—" : <code key="request">{call.requestId}</code>,
    ],
  }));
  return (
    <FrozenTable
      title={t`Calls`}
      columns={[t`Call`, t`Target`, t`Began`, t`Took`, t`Answer`, t`Request`]}
      rows={rows}
      note={callsLeftOut === 0 ? undefined : moreCalls(callsLeftOut)}
    />
  );
}

function moreCalls(count: number): string {
  return count === 1 ? t`1 more call.` : t`${formatCount(count)} more calls.`;
}

function Answer({ call: { status, error, attempt } }: { readonly call: Plan["calls"][number] }) {
  const parts = [
    status === undefined ? undefined : String(status),
    error,
    attempt > 1 ? t`attempt ${attempt}` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(", ") || "—";
}
