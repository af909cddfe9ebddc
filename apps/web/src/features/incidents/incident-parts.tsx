"use client";
import { controllerOf, isControllerName } from "@cloudwright/core/model/controller-names";
import { partName, partValue } from "@cloudwright/core/model/language/cloud-words";
import { t, worded } from "@cloudwright/core/model/language/text";
import { capitalise } from "@cloudwright/core/model/sentence";
import type { KeptSnapshot } from "@cloudwright/store/views/incidents";
import { useMemo } from "react";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { Fact, Facts } from "../../components/facts/fact.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import { ClockText, useTimeLabels } from "../../components/time/time-text.tsx";
import { fullName } from "../../components/url/object-address.ts";
import {
  actionLabel,
  actorName,
  resultPresentation,
} from "../../platform/wording/audit-messages.ts";
import { STEP_LABELS } from "../../platform/wording/step-labels.ts";
import { WhyText } from "../../platform/wording/why-text.tsx";
import { FrozenPart, FrozenTable } from "./frozen-table.tsx";
import { lasted } from "./incident-words.ts";
import { PlanPart } from "./plan-part.tsx";
import { type WordedSnapshot, wordedSnapshot } from "./worded-snapshot.ts";

interface Props {
  readonly snapshot: WordedSnapshot;
}

export function IncidentParts({ kept }: { readonly kept: KeptSnapshot }) {
  const time = useTimeLabels();
  const snapshot = useMemo(() => wordedSnapshot(kept, time), [kept, time]);
  return (
    <>
      <FrozenPart title={t`What was seen`}>
        <div className="grid gap-3 pad-4">
          <p className="lead flush break">
            <SentenceText text={snapshot.sentence} />
          </p>
          <FactsOf snapshot={snapshot} />
        </div>
      </FrozenPart>
      <PartsTable snapshot={snapshot} />
      <TimelineTable snapshot={snapshot} />
      <DifferencesTable snapshot={snapshot} />
      {snapshot.plan === undefined ? null : (
        <PlanPart plan={snapshot.plan} isRun={snapshot.about.kind === "run"} />
      )}
      <RunsTable snapshot={snapshot} />
      <EntriesTable snapshot={snapshot} />
    </>
  );
}

function FactsOf({ snapshot: { cluster, controller, since, facts } }: Props) {
  return (
    <Facts>
      <Fact label={t`Cluster`}>
        {cluster.name} <span className="quiet">({cluster.provider})</span>
      </Fact>
      <Fact label={t`Controller`}>
        {controller === undefined
          ? t`no leader`
          : mixed`${<IdentityText identity={controller.identity} />}, version ${controller.version},
              last heard from ${<ClockText at={controller.heardAt} />}`}
      </Fact>
      {since === undefined ? null : (
        <Fact label={t`Since`}>
          <ClockText at={since} />
        </Fact>
      )}
      {facts.map(({ label, text, at }) => (
        <Fact key={label} label={label}>
          <span className="break">{text}</span>
          {at === undefined ? null : <ClockText at={at} />}
        </Fact>
      ))}
    </Facts>
  );
}

function PartsTable({ snapshot: { parts, partsLeftOut, about } }: Props) {
  const isProblem = about.kind === "problem";
  return (
    <FrozenTable
      title={isProblem ? t`The oldest of them` : t`What each controller said`}
      columns={[isProblem ? t`Object` : t`Controller`, t`State`, t`Since`, t`Why`, t`Next attempt`]}
      rows={parts.map(({ name, state, since, why, nextAt }) => ({
        key: name,
        cells: [
          name,
          <RowStatus key="state" status={STATE_PRESENTATION[state]} />,
          <ClockText key="since" at={since} />,
          <span key="why">
            <SentenceText text={why} />
          </span>,
          nextAt === undefined ? "—" : <ClockText key="next" at={nextAt} />,
        ],
      }))}
      note={partsLeftOut === 0 ? undefined : t`And ${partsLeftOut} more.`}
    />
  );
}

const STEP_STATES = worded({
  done: () => t`Done`,
  failed: () => t`Failed`,
  pending: () => t`To come`,
});

function TimelineTable({ snapshot: { timeline } }: Props) {
  return (
    <FrozenTable
      title={t`Timeline`}
      columns={[t`Step`, t`State`, t`Began`, t`Took`, t`Attempts`, t`Why`]}
      rows={timeline.map(({ step, state, startedAt, endedAt, tries, cause }) => ({
        key: step,
        cells: [
          isKnownStep(step) ? STEP_LABELS[step] : capitalise(step),
          STEP_STATES[state],
          startedAt === undefined ? "—" : <ClockText key="began" at={startedAt} />,
          startedAt === undefined || endedAt === undefined ? "—" : lasted(endedAt - startedAt),
          String(tries),
          cause ?? "—",
        ],
      }))}
    />
  );
}

function isKnownStep(step: string): step is keyof typeof STEP_LABELS {
  return Object.hasOwn(STEP_LABELS, step);
}

function DifferencesTable({ snapshot: { differences } }: Props) {
  return (
    <FrozenTable
      title={t`Where the cloud differed`}
      columns={[t`What`, t`Desired`, t`Actual`]}
      rows={differences.map(({ name, desired, actual }) => ({
        key: `${name} ${desired} ${actual}`,
        cells: [partName(name), valueText(desired), valueText(actual)],
      }))}
    />
  );
}

function valueText(value: string | undefined): string {
  return value === undefined ? t`nothing` : partValue(value);
}

function RunsTable({ snapshot: { runs } }: Props) {
  return (
    <FrozenTable
      title={t`Recent runs`}
      columns={[t`Started`, t`Controller`, t`Outcome`, t`Why`, t`Trigger`, t`Took`, t`Changes`]}
      rows={runs.map((run) => ({
        key: run.id,
        cells: [
          <ClockText key="at" at={run.at} />,
          isControllerName(run.controller) ? controllerOf(run.controller).label : run.controller,
          <RowStatus key="outcome" status={outcomePresentation(run)}>
            {run.folded > 1 ? `×${run.folded}` : undefined}
          </RowStatus>,
          run.cause ?? "—",
          run.trigger,
          lasted(run.durationMs),
          String(run.changes),
        ],
      }))}
    />
  );
}

function EntriesTable({ snapshot: { entries } }: Props) {
  return (
    <FrozenTable
      title={t`Recent audit entries`}
      columns={[t`Time`, t`Who`, t`What`, t`Object`, t`Why`, t`Result`]}
      rows={entries.map((entry) => ({
        key: String(entry.seq),
        cells: [
          <ClockText key="at" at={entry.at} />,
          actorName(entry.actor),
          actionLabel(entry.action),
          entry.object === undefined ? "—" : fullName(entry.object),
          <WhyText key="why" entry={entry} />,
          <RowStatus key="result" status={resultPresentation(entry.result)} />,
        ],
      }))}
    />
  );
}
