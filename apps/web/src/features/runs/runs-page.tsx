"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { OUTCOMES } from "@cloudwright/core/model/run";
import type { RunRow, RunsFilter } from "@cloudwright/store/views/views";
import { useCallback, useMemo } from "react";
import { Button } from "../../components/button/button.tsx";
import { FilterChips } from "../../components/filter-chips.tsx";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { OUTCOME_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { useNow } from "../../components/time/ticker.ts";
import { TimeRangeButtons } from "../../components/time/time-range-buttons.tsx";
import { TimeHistogram } from "../../components/time-histogram/time-histogram.tsx";
import { readText, writeParams } from "../../components/url/search-params.ts";
import {
  isRange,
  RANGES,
  type Range,
  readTimeRange,
  type TimeRange,
  timeFilter,
  writeTimeRange,
} from "../../components/url/time-range.ts";
import {
  type ChangeView,
  type UrlCodec,
  useClusterId,
  useUrlState,
} from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { UnreadComments } from "../../platform/comments/unread-comments.tsx";
import { ListMenus } from "../../platform/lists/list-menus.tsx";
import { NewestList } from "../../platform/lists/newest-list.tsx";
import { GapNotes } from "../../platform/runs/gap-notes.tsx";
import { runColumns } from "../../platform/runs/run-columns.tsx";
import { parseRunFilter, toggleTerm, withoutTerm } from "../../platform/runs/run-grammar.ts";
import { useRuns, useRunsHistogram } from "../../platform/runs/use-runs.ts";
import { RunsSentence } from "./runs-sentence.tsx";

const MINUTE = 60_000;
const RUNS = worded({
  one: () => t`run`,
  many: () => t`runs`,
});

function useRunColumns() {
  return useMemo(() => runColumns({ withObject: true }), []);
}

const loadPeek = () => import("./run-peek.tsx").then(({ RunPeek }) => RunPeek);

export function RunsPage() {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(runsUrl);
  const minute = Math.floor(useNow() / MINUTE) * MINUTE;
  const filter = useMemo(() => runsFilter(view, minute), [view, minute]);
  const runs = useRuns(cluster, filter, view.from);
  const histogram = useRunsHistogram(cluster, filter);
  const peek = usePeek({ view, push, replace });
  const RunPeek = useFetched(loadPeek, peek.current);
  useShortcuts({ r: () => void runs.query.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>{t`Runs`}</h1>
        <p className="lead second">
          <RunsSentence rows={runs.rows} />
        </p>
      </header>
      <RunsToolbar view={view} filter={filter} push={push} replace={replace} />
      <FilterChips
        terms={parseRunFilter(view.text).terms}
        onRemove={(term) => push((now) => ({ ...now, text: withoutTerm(now.text, term) }))}
      />
      <DroppedNote dropped={dropped} />
      <GapNotes />
      <UnreadComments list={runs.query.data} />
      <TimeHistogram
        label={t`Histogram`}
        thing={RUNS}
        query={histogram}
        onChoose={(between) => push((now) => ({ ...now, between }))}
      />
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <PeekLayout
          peek={
            peek.current === undefined || RunPeek === undefined ? null : (
              <RunPeek id={peek.current} onClose={() => peek.onPeek(undefined)} />
            )
          }
        >
          <RunsPanel view={view} push={push} peek={peek} runs={runs} />
        </PeekLayout>
      </div>
    </div>
  );
}

function RunsToolbar({
  view,
  filter,
  push,
  replace,
}: {
  readonly view: RunsView;
  readonly filter: RunsFilter;
  readonly push: ChangeView<RunsView>;
  readonly replace: ChangeView<RunsView>;
}) {
  const cluster = useClusterId();
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const chosen = parseRunFilter(view.text).filter.outcomes ?? [];
  const columns = useRunColumns();
  return (
    <div className={page.toolbar}>
      <SearchBox
        label={t`Filter runs`}
        placeholder="controller:node outcome:failed key:w-* calls>10"
        value={view.text}
        onChange={onText}
      />
      <ChoiceMenu
        label={t`Outcome`}
        choices={OUTCOMES.map((id) => ({ id, label: OUTCOME_PRESENTATION[id].label }))}
        chosen={new Set(chosen)}
        onToggle={(id) => push((now) => ({ ...now, text: toggleTerm(now.text, `outcome:${id}`) }))}
      />
      <TimeRangeButtons time={view} onChange={(time) => push((now) => ({ ...now, ...time }))} />
      <ListMenus table="runs" columns={columns} exported={{ cluster, filter }} />
    </div>
  );
}

function RunsPanel({
  view,
  push,
  peek,
  runs,
}: {
  readonly view: RunsView;
  readonly push: ChangeView<RunsView>;
  readonly peek: Peek;
  readonly runs: ReturnType<typeof useRuns>;
}) {
  const columns = useRunColumns();
  if (runs.rows?.length === 0) return <NoRuns view={view} push={push} />;
  return (
    <NewestList
      label={t`Runs`}
      table="runs"
      thing={RUNS}
      newest={runs}
      columns={columns}
      rowKey={idOf}
      peek={{ ...peek, idOf }}
    />
  );
}

function idOf({ id }: RunRow): string {
  return id;
}

function NoRuns({ view, push }: { readonly view: RunsView; readonly push: ChangeView<RunsView> }) {
  return (
    <EmptyState title={view.text === "" ? noneIn(view) : noneMatches(view)}>
      <span className={page.toolbar}>
        {view.text === "" ? null : (
          <Button
            onClick={() => push((now) => ({ ...now, text: "" }))}
          >{t`Clear the filter`}</Button>
        )}
        {isRange(view, "all") && view.text === ""
          ? t`Each run of a controller is recorded and appears here by itself.`
          : null}
        {isRange(view, "all") ? null : (
          <Button onClick={() => push((now) => ({ ...now, from: "all", between: undefined }))}>
            {t`Show everything that is kept`}
          </Button>
        )}
      </span>
    </EmptyState>
  );
}

function noneIn({ from, between }: TimeRange): string {
  if (between !== undefined) return t`No run in the chosen time`;
  if (from === "all") return t`No run in the ledger`;
  return t`No run in the ${RANGES[from].label.toLowerCase()}`;
}

function noneMatches({ from, between }: TimeRange): string {
  const range = between === undefined ? RANGES[from].label.toLowerCase() : t`chosen time`;
  return t`No run matches this filter (${range})`;
}

interface RunsView extends TimeRange {
  readonly text: string;
  /** Id of the run open beside the list. */
  readonly peek: string | undefined;
}

const DEFAULT_RANGE: Range = "-24h";
/** Parameters for single filters are accepted as well and become terms of the box. */
const TERMS = ["controller", "outcome", "key", "reason", "trigger", "request"];
const KNOWN = ["q", "from", "to", "peek", ...TERMS];

export const runsUrl: UrlCodec<RunsView> = {
  parse(params) {
    const { time, dropped } = readTimeRange(params, DEFAULT_RANGE);
    const terms = TERMS.flatMap((name) => params.getAll(name).map((value) => `${name}:${value}`));
    const text = [params.get("q") ?? "", ...terms].filter((term) => term !== "").join(" ");
    return {
      view: { text, ...time, peek: readText(params.get("peek")) },
      dropped: [...dropped, ...[...params.keys()].filter((name) => !KNOWN.includes(name))],
    };
  },
  format: (view) =>
    writeParams({ q: view.text, ...writeTimeRange(view, DEFAULT_RANGE), peek: view.peek }),
};

/** Returns the server's filter for a view. */
export function runsFilter(view: RunsView, now: number): RunsFilter {
  return { ...parseRunFilter(view.text).filter, ...timeFilter(view, now) };
}
