"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { RunDetail, RunRow } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import diff from "../../../components/facts/diff-table.module.css";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { type PendingQuery, useFailure } from "../../../components/page/use-failure.ts";
import { usePreferences } from "../../../components/preferences.ts";
import { outcomePresentation } from "../../../components/presentation/outcomes.ts";
import { DRIFT_PRESENTATION } from "../../../components/presentation/states.ts";
import { isNotFound } from "../../../components/problem.ts";
import { ScrollBox } from "../../../components/scroll-edges/scroll-edges.tsx";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { formatClock } from "../../../components/time/format-time.ts";
import { useNow } from "../../../components/time/ticker.ts";
import { useTimeLabels } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { fullName } from "../../../components/url/object-address.ts";
import type { ChangeView } from "../../../components/url/use-url-state.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { type ComparedLine, compareRuns } from "./compare-runs.ts";
import styles from "./compare-tab.module.css";
import type { RunView } from "./run-url.ts";

/** How many runs of the object are offered for comparison. */
const OFFERED_MOST = 50;

/** This run beside another one of the same object: by default, the previous one. */
export function CompareTab({
  run,
  view,
  onView,
}: {
  readonly run: RunDetail;
  readonly view: RunView;
  readonly onView: ChangeView<RunView>;
}) {
  const cluster = useClusterId();
  const api = useApi();
  const id = view.other ?? run.previousId ?? run.nextId;
  const other = useQuery(
    api.runs.byId.queryOptions({ cluster, id: id ?? "" }, { enabled: id !== undefined }),
  );
  if (id === undefined) {
    return (
      <EmptyState isCard title={t`There is no other run of this object to compare with`}>
        {t`Old runs are removed, and there is no later one yet.`}
      </EmptyState>
    );
  }
  return (
    <div className={page.card}>
      <OtherRun
        run={run}
        other={id}
        onChoose={(chosen) => onView((now) => ({ ...now, other: chosen }))}
      />
      {other.data === undefined ? (
        <Waiting query={other} />
      ) : (
        <Compared
          one={run}
          other={other.data}
          all={view.all}
          onAll={(all) => onView((now) => ({ ...now, all }))}
        />
      )}
    </div>
  );
}

function Waiting({ query }: { readonly query: PendingQuery }) {
  const failure = useFailure(query);
  if (failure !== undefined && isNotFound(failure.error)) {
    return <EmptyState title={t`That run is no longer kept`}>{t`Choose another one.`}</EmptyState>;
  }
  return (
    <div className="pad-4">
      <Pending query={query} lines={8} />
    </div>
  );
}

function OtherRun({
  run: { row },
  other,
  onChoose,
}: {
  readonly run: RunDetail;
  readonly other: string;
  readonly onChoose: (id: string) => void;
}) {
  const cluster = useClusterId();
  const api = useApi();
  const field = useId();
  const { object, controller } = row;
  const { data } = useQuery(
    api.runs.list.queryOptions({
      cluster,
      filter: { key: fullName(object), kind: object.kind, controller },
      sort: { by: "started", descending: true },
      limit: OFFERED_MOST,
    }),
  );
  const offered = (data?.rows ?? []).filter(({ id }) => id !== row.id);
  return (
    <div className="row pad-2-4 line-below">
      <label htmlFor={field}>{t`Compare with`}</label>
      <select
        id={field}
        className={styles.choice}
        value={other}
        onChange={({ target }) => onChoose(target.value)}
      >
        {offered.some(({ id }) => id === other) ? null : (
          <option value={other}>{t`Run ${other.slice(-12)}`}</option>
        )}
        {offered.map((each) => (
          <Offered key={each.id} run={each} />
        ))}
      </select>
      <Link href={addresses.run(cluster, other)}>{t`Open that run`}</Link>
    </div>
  );
}

function Offered({ run }: { readonly run: RunRow }) {
  const { zone } = usePreferences();
  const now = useNow();
  return (
    <option value={run.id}>
      {formatClock(run.startedAt, zone, now)}, {outcomePresentation(run).label}
    </option>
  );
}

function Compared({
  one,
  other,
  all,
  onAll,
}: {
  readonly one: RunDetail;
  readonly other: RunDetail;
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
}) {
  const { facts, plan, calls } = compareRuns(one, other, useTimeLabels());
  const lines = [...facts, ...plan, ...calls];
  const differing = lines.filter(({ differs }) => differs).length;
  const shown = (part: readonly ComparedLine[]) => part.filter(({ differs }) => all || differs);
  return (
    <>
      <div className="row pad-2-4 line-below">
        <p role="status">
          {differing === 0
            ? t`The two runs do not differ.`
            : t`${differing} of ${lines.length} lines differ.`}
        </p>
        <Button active={all} aria-pressed={all} onClick={() => onAll(!all)}>
          {all ? t`Only differences` : t`Show all lines`}
        </Button>
      </div>
      <Lines title={t`Facts`} lines={shown(facts)} />
      <Lines title={t`Plan`} lines={shown(plan)} />
      <Lines title={t`Calls`} lines={shown(calls)} />
    </>
  );
}

function Lines({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly ComparedLine[];
}) {
  if (lines.length === 0) return null;
  return (
    <ScrollBox className="scroll-x">
      <table className={diff.diff}>
        <caption className={styles.caption}>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t`What`}</th>
            <th scope="col">{t`This run`}</th>
            <th scope="col">{t`The other run`}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, label, one, other, differs }) => (
            <tr key={id}>
              <th scope="row">
                {differs ? (
                  <span className={styles.mark}>
                    <StatusIcon status={DRIFT_PRESENTATION.drifted} size={14} />
                    <span className="visually-hidden">{t`differs: `}</span>
                  </span>
                ) : null}
                {label}
              </th>
              <Side text={one} />
              <Side text={other} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Side({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return <td className={diff.nothing}>{t`nothing`}</td>;
  return <td>{text}</td>;
}
