"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { InitialisationView } from "@cloudwright/store/views/initialisation";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import { FiguresTable } from "../../../components/facts/figures-table.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import { Panel } from "../../../components/page/panel.tsx";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { usePreferences } from "../../../components/preferences.ts";
import { formatCount } from "../../../components/presentation/format-text.ts";
import { formatClock } from "../../../components/time/format-time.ts";
import { useNow } from "../../../components/time/ticker.ts";
import { TimeRangeButtons } from "../../../components/time/time-range-buttons.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { isRange, RANGES, type TimeRange, timeFilter } from "../../../components/url/time-range.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { STEP_LABELS } from "../../../platform/wording/step-labels.ts";
import { InitialisationChart } from "./initialisation-chart.tsx";
import {
  type DrawnPart,
  drawInitialisation,
  INITIALISED,
  summaryOf,
} from "./initialisation-chart-model.ts";

const MINUTE = 60_000;

/** How long the fleet's nodes took to initialise over time, as bars and as a table. */
export function InitialisationPanel({
  time,
  onTime,
}: {
  readonly time: TimeRange;
  readonly onTime: (time: TimeRange) => void;
}) {
  const cluster = useClusterId();
  const api = useApi();
  const [isTable, setIsTable] = useState(false);
  const minute = Math.floor(useNow() / MINUTE) * MINUTE;
  const found = useQuery(
    api.nodes.initialisation.queryOptions(
      { cluster, ...timeFilter(time, minute) },
      { placeholderData: keepPreviousData },
    ),
  );
  const view = found.data;
  return (
    <Panel
      title={t`Initialisation of nodes`}
      aside={
        <>
          <TimeRangeButtons time={time} onChange={onTime} />
          <Button appearance="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {isTable ? t`Show as bars` : t`Show as table`}
          </Button>
        </>
      }
    >
      {view === undefined ? (
        <Pending query={found} lines={3} />
      ) : (
        <Content {...{ view, time, onTime, isTable }} />
      )}
    </Panel>
  );
}

function Content({
  view,
  time,
  onTime,
  isTable,
}: {
  readonly view: InitialisationView;
  readonly time: TimeRange;
  readonly onTime: (time: TimeRange) => void;
  readonly isTable: boolean;
}) {
  const drawn = drawInitialisation(view);
  const { nodes } = summaryOf(view);
  if (nodes === 0) return <NoneYet time={time} onTime={onTime} />;
  return (
    <>
      <Summary view={view} />
      {isTable ? (
        <PartsTable parts={drawn.parts} />
      ) : (
        <InitialisationChart drawn={drawn} onChoose={(between) => onTime({ ...time, between })} />
      )}
    </>
  );
}

/** `212 nodes were initialised. The slowest, w-3, took 14 s.` */
function Summary({ view }: { readonly view: InitialisationView }) {
  const cluster = useClusterId();
  const { nodes, slowest } = summaryOf(view);
  return (
    <p className="small second">
      {nodes === 1 ? t`1 node was initialised.` : t`${formatCount(nodes)} nodes were initialised.`}{" "}
      {slowest === undefined
        ? null
        : mixed`The slowest,
            ${<Link href={addresses.node(cluster, slowest.name)}>{slowest.name}</Link>}, took
            ${formatDuration(slowest.ms)}.`}
    </p>
  );
}

function NoneYet({
  time,
  onTime,
}: {
  readonly time: TimeRange;
  readonly onTime: (time: TimeRange) => void;
}) {
  return (
    <EmptyState title={noneIn(time)}>
      {isRange(time, "all") ? (
        t`A node is counted here when its taint is removed for the first time.`
      ) : (
        <Button onClick={() => onTime({ from: "all", between: undefined })}>
          {t`Show everything that is kept`}
        </Button>
      )}
    </EmptyState>
  );
}

function noneIn({ from, between }: TimeRange): string {
  if (between !== undefined) return t`No node was initialised in the chosen time`;
  if (from === "all") return t`The ledger has no record of an initialised node`;
  return t`No node was initialised in the ${RANGES[from].label.toLowerCase()}`;
}

/** The same as the bars, newest first, without times that had none. */
function PartsTable({ parts }: { readonly parts: readonly DrawnPart[] }) {
  const cluster = useClusterId();
  const { zone } = usePreferences();
  const now = useNow();
  const rows = parts
    .flatMap(({ from, to, part }) => (part === undefined ? [] : [{ from, to, ...part }]))
    .toReversed();
  return (
    <FiguresTable
      label={t`Initialisation of nodes by time`}
      rows={rows}
      rowKey={({ from }) => String(from)}
      empty={t`No node was initialised in this time.`}
      columns={[
        {
          header: t`From`,
          cell: (row) => (
            <Link href={addresses.runsWithin(cluster, row, INITIALISED)} prefetch={false}>
              {formatClock(row.from, zone, now)}
            </Link>
          ),
        },
        { header: t`Nodes`, cell: ({ nodes }) => formatCount(nodes) },
        { header: t`Half within`, cell: ({ p50Ms }) => formatDuration(p50Ms) },
        { header: t`95 % within`, cell: ({ p95Ms }) => formatDuration(p95Ms) },
        {
          header: t`Slowest step`,
          cell: ({ slowestStep: slow }) =>
            slow === undefined
              ? t`not recorded`
              : `${STEP_LABELS[slow.step]}, ${formatDuration(slow.p50Ms)}`,
        },
        {
          header: t`Slowest node`,
          cell: ({ slowest: { name, ms } }) => (
            <>
              <Link href={addresses.node(cluster, name)} prefetch={false}>
                {name}
              </Link>
              , {formatDuration(ms)}
            </>
          ),
        },
      ]}
    />
  );
}
