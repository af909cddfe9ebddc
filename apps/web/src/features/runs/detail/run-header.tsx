"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import { advice } from "@cloudwright/core/model/sentence";
import type { RunDetail } from "@cloudwright/store/views/views";
import { CopyButton } from "../../../components/button/copy-button.tsx";
import { causeLanguage, SentenceText } from "../../../components/evidence/sentence-text.tsx";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import { IdentityText } from "../../../components/identity-text.tsx";
import { JustChanged } from "../../../components/just-changed/just-changed.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import { NeighbourLinks } from "../../../components/neighbours/neighbours.tsx";
import type { NeighbourPages } from "../../../components/neighbours/use-trail.ts";
import { ObjectLink } from "../../../components/object-link.tsx";
import page from "../../../components/page/page.module.css";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { outcomePresentation } from "../../../components/presentation/outcomes.ts";
import { triggerText } from "../../../components/presentation/trigger-text.ts";
import { StatusChip } from "../../../components/status/status-chip.tsx";
import { ClockText, TimeText, useCause } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { fullName } from "../../../components/url/object-address.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { ShareButton } from "../../../platform/incidents/share-button.tsx";
import { DocumentTitle } from "../../../platform/shell/document-title.tsx";
import styles from "./run-page.module.css";

export function RunHeader({ run }: { readonly run: RunDetail }) {
  const cluster = useClusterId();
  const { row } = run;
  const causeText = useCause();
  return (
    <>
      <DocumentTitle
        title={`${t`Run of ${fullName(row.object)}`}, ${outcomePresentation(row).label}`}
      />
      <div className={`flex centred wrap at-end gap-1-4 small ${styles.crumbs}`}>
        <nav aria-label={t`Breadcrumbs and neighbours`} className="flex fill nowrap gap-4">
          <Link href={addresses.runs(cluster)}>{t`Runs`}</Link>
          <span className="push" />
          <NeighbourLinks {...runNeighbours(cluster, run)} />
        </nav>
        <ShareButton about={{ kind: "run", id: row.id }} name={t`this run`} />
      </div>
      <header className={`row ${styles.header}`}>
        <h1 className={page.title}>
          {controllerOf(row.controller).label} · <ObjectLink object={row.object} />
        </h1>
        <RunOutcome row={row} />
        {row.dryRun ? <span className={styles.mark}>{t`dry run`}</span> : null}
      </header>
      {row.reason === undefined ? null : (
        <p className="lead second" lang={causeLanguage(row.reason)}>
          <SentenceText text={t`${causeText(row.reason)}. ${advice(row.reason)}`} />
        </p>
      )}
      <RunFacts run={run} />
    </>
  );
}

/** How the run ended, highlighted right after it did. */
export function RunOutcome({ row }: Pick<RunDetail, "row">) {
  return (
    <JustChanged of={row.id} value={row.outcome}>
      <StatusChip status={outcomePresentation(row)} prominent>
        {row.durationMs === undefined
          ? t`so far`
          : keepUnits(t`in\u00a0${formatDuration(row.durationMs)}`)}
      </StatusChip>
    </JustChanged>
  );
}

/** Returns the previous and the next run of the same object. */
export function runNeighbours(cluster: string, run: RunDetail | undefined): NeighbourPages {
  const pageOf = (id: string | undefined) =>
    id === undefined ? undefined : addresses.run(cluster, id);
  return { previous: pageOf(run?.previousId), next: pageOf(run?.nextId) };
}

export function RunFacts({ run }: { readonly run: RunDetail }) {
  const cluster = useClusterId();
  const { row } = run;
  return (
    <Facts>
      <Fact label={t`Started`}>
        <ClockText at={row.startedAt} />{" "}
        <span className="quiet light">
          (<TimeText at={row.startedAt} />)
        </span>
      </Fact>
      <Fact label={t`Trigger`}>
        {run.intent === undefined ? (
          triggerText(row.trigger)
        ) : (
          <Link href={addresses.action(cluster, run.intent.id)}>{triggerText(row.trigger)}</Link>
        )}
        {row.attempt > 1 ? (
          <span className="quiet light">{mixed` · attempt ${row.attempt}`}</span>
        ) : null}
      </Fact>
      <Fact label={t`Queued`}>{formatDuration(row.queuedMs)}</Fact>
      <Fact label={t`Calls`}>
        <JustChanged of={row.id} value={t`${row.cloudCalls} cloud, ${row.kubeCalls} kube`} />
      </Fact>
      <Fact label={t`Changes`}>
        <JustChanged of={row.id} value={row.changes === 0 ? t`none` : appliedText(run)} />
      </Fact>
      <Fact label={t`By`}>
        <IdentityText identity={run.instance} />
      </Fact>
      <Fact label={t`ID`}>
        <code>{row.id.slice(-12)}</code>
        <CopyButton text={row.id} label={t`Copy the run's ID`} />
      </Fact>
    </Facts>
  );
}

function appliedText({ row, end }: RunDetail): string {
  return end === undefined
    ? t`${row.changes} planned`
    : t`${end.applied} of ${row.changes} applied`;
}
