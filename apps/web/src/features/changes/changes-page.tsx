"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type ChangesPage as Answer, DIRECTIONS } from "@cloudwright/store/views/changes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { useNow } from "../../components/time/ticker.ts";
import { StretchButtons } from "../../components/time/time-range-buttons.tsx";
import { ClockText } from "../../components/time/time-text.tsx";
import type { Stretch } from "../../components/url/time-range.ts";
import { type ChangeView, useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { Counters } from "../../platform/lists/counters.tsx";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { GapNotes } from "../../platform/runs/gap-notes.tsx";
import { countOfKind } from "../../platform/wording/kind-words.ts";
import { changeColumns } from "./change-columns.tsx";
import styles from "./changes.module.css";
import { changesSentence, DIRECTION_PRESENTATION, sumOf } from "./changes-messages.ts";
import {
  type ChangesView,
  changesFilter,
  changesUrl,
  isFiltered,
  PRESET_NAMES,
  PRESETS,
  timesOf,
  toggled,
  withoutFilters,
} from "./changes-url.ts";

const URL_OF_LIST = {
  format: (view: ChangesView) => changesUrl.format({ ...view, peek: undefined }),
  withoutFilters,
};

const loadPeek = () => import("./change-peek.tsx").then(({ ChangePeek }) => ChangePeek);

/** The objects whose state differs between two times, with both states. */
export function ChangesPage() {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(changesUrl);
  const { from, to } = timesOf(view, useNow());
  const times = useMemo(() => ({ from, to }), [from, to]);
  const filter = useMemo(() => changesFilter(view, times), [view, times]);
  const changes = useChanges(cluster, filter);
  const first = firstPageOf(changes.data);
  const columns = useMemo(() => changeColumns(cluster, times), [cluster, times]);
  const peek = usePeek({ view, push, replace });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>{t`Changes`}</h1>
        <p className="lead second">{first === undefined ? "" : changesSentence(first.counts)}</p>
      </header>
      <TimeButtons view={view} times={times} push={push} />
      <div className="rigid">
        <DirectionCounters counts={first?.counts} view={view} push={push} />
      </div>
      <DroppedNote dropped={dropped} />
      <GapNotes />
      <IncompleteNote from={from} completeFrom={first?.completeFrom} />
      <SearchedList
        label={t`What changed`}
        thing="change"
        filter={t`Filter changes`}
        placeholder={t`Name, address or reason`}
        tools={<KindButtons counts={first?.counts} view={view} push={push} />}
        {...{ view, push, replace, columns }}
        url={URL_OF_LIST}
        query={changes}
        table="changes"
        exported={{ filter }}
        isFiltered={isFiltered(view)}
        matchless={{ title: t`No change matches this filter`, all: t`Show all changes` }}
        none={<NothingChanged view={view} push={push} />}
        rowKey={changeId}
        folds="always"
        peek={{ ...peek, idOf: changeId }}
        beside={<Beside {...{ peek, times }} rows={rowsOf(changes.data)} />}
      />
    </div>
  );
}

/** The open row, if it has been loaded. */
function Beside({
  peek,
  times,
  rows = [],
}: {
  readonly peek: Peek;
  readonly times: Stretch;
  readonly rows: Answer["rows"] | undefined;
}) {
  const ChangePeek = useFetched(loadPeek, peek.current);
  const change = rows.find((row) => changeId(row) === peek.current);
  if (change === undefined || ChangePeek === undefined) return null;
  return <ChangePeek {...{ change, times }} onClose={() => peek.onPeek(undefined)} />;
}

function changeId({ kind, name }: Answer["rows"][number]): string {
  return `${kind} ${name}`;
}

function useChanges(cluster: string, filter: ReturnType<typeof changesFilter>) {
  const api = useApi();
  return useInfiniteQuery(
    api.changes.list.infiniteQueryOptions(
      { cluster, filter, sort: { by: "kind", descending: false }, ...PAGE_SIZES },
      PAGED,
    ),
  );
}

interface PartProps {
  readonly view: ChangesView;
  readonly push: ChangeView<ChangesView>;
}

/** The two times: a preset that ends now, or any two; and a button that fixes the current ones, so that a link shows the same later. */
function TimeButtons({ view, times, push }: PartProps & { readonly times: Stretch }) {
  const { preset, between } = view;
  return (
    <div className={page.toolbar}>
      <fieldset className={`pad-0 flush frameless ${page.plainGroup}`}>
        <legend className="visually-hidden">{t`Two times`}</legend>
        {PRESET_NAMES.map((name) => {
          const isChosen = between === undefined && preset === name;
          return (
            <Button
              key={name}
              appearance={isChosen ? "plain" : "quiet"}
              active={isChosen}
              aria-pressed={isChosen}
              onClick={() => push((now) => ({ ...now, preset: name, between: undefined }))}
            >
              {PRESETS[name].label}
            </Button>
          );
        })}
        <StretchButtons
          between={between}
          onChange={(stretch) => push((now) => ({ ...now, between: stretch }))}
        />
      </fieldset>
      {between === undefined ? (
        <>
          <p className="quiet small">{mixed`${<ClockText at={times.from} />} and now`}</p>
          <Button
            appearance="quiet"
            title={t`Puts both times into the address, so that others see the same, now and later`}
            onClick={() => push((now) => ({ ...now, between: times }))}
          >
            {t`Keep these times`}
          </Button>
        </>
      ) : null}
    </div>
  );
}

/** How many of the selected kinds are worse, better or changed otherwise; each counter is also the filter for it. */
function DirectionCounters({
  counts,
  view,
  push,
}: PartProps & { readonly counts: Answer["counts"] | undefined }) {
  const ofKinds = counts?.filter(
    ({ kind }) => view.kinds.length === 0 || view.kinds.includes(kind),
  );
  const sums = (all: Answer["counts"]) => ({
    worse: sumOf(all, ({ direction }) => direction === "worse"),
    better: sumOf(all, ({ direction }) => direction === "better"),
    other: sumOf(all, ({ direction }) => direction === "other"),
  });
  return (
    <Counters
      label={t`Filter by kind of change`}
      ids={DIRECTIONS}
      presentation={DIRECTION_PRESENTATION}
      counts={ofKinds === undefined ? undefined : sums(ofKinds)}
      chosen={view.directions}
      onToggle={(id) =>
        push((now) => ({
          ...now,
          directions: DIRECTIONS.filter((one) => toggled(now.directions, id).includes(one)),
        }))
      }
    />
  );
}

/** How many of each kind in the selected directions; each is also the filter for it. */
function KindButtons({
  counts = [],
  view,
  push,
}: PartProps & { readonly counts: Answer["counts"] | undefined }) {
  const kinds = [...new Set([...counts.map(({ kind }) => kind), ...view.kinds])];
  if (kinds.length === 0) return null;
  const { directions } = view;
  const countOf = (kind: string) =>
    sumOf(
      counts,
      (one) => one.kind === kind && (directions.length === 0 || directions.includes(one.direction)),
    );
  return (
    <fieldset className={`pad-0 flush frameless ${page.plainGroup} ${styles.kinds}`}>
      <legend className="visually-hidden">{t`Kinds`}</legend>
      {kinds.map((kind) => (
        <Button
          key={kind}
          active={view.kinds.includes(kind)}
          aria-pressed={view.kinds.includes(kind)}
          onClick={() => push((now) => ({ ...now, kinds: toggled(now.kinds, kind) }))}
        >
          {countOfKind(countOf(kind), kind)}
        </Button>
      ))}
    </fieldset>
  );
}

/** Records older than the runs were removed except the last of each object, and earlier releases kept none. */
function IncompleteNote({
  from,
  completeFrom,
}: {
  readonly from: number;
  readonly completeFrom: number | undefined;
}) {
  if (completeFrom === undefined || completeFrom <= from) return null;
  return (
    <p className={`pad-2-3 small round-small ${page.note}`}>
      {mixed`Changes are complete only since ${<ClockText at={completeFrom} />}. Of earlier
        changes, at most the last one of each object is known: where it is not, the list says ${<em>{t`Not recorded`}</em>},
        and some objects may be missing.`}
    </p>
  );
}

function NothingChanged({ view, push }: PartProps) {
  const isWidest = view.between !== undefined || view.preset === "-24h";
  return (
    <EmptyState title={t`Nothing differs between the two times`}>
      {isWidest ? (
        t`What changed in between and then changed back is in Runs.`
      ) : (
        <Button onClick={() => push((now) => ({ ...now, preset: "-24h" }))}>
          {t`Compare with 24 h ago`}
        </Button>
      )}
    </EmptyState>
  );
}
