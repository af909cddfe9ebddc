"use client";
import {
  CONTROLLER_NAMES,
  controllerOf,
  type KnownController,
} from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { ShadowFilter, ShadowPage, ShadowRow } from "@cloudwright/store/views/shadow";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { usePeek } from "../../components/peek-panel/use-peek.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, timeColumn } from "../../components/table/columns.tsx";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { TimeText, useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { fullName } from "../../components/url/object-address.ts";
import {
  choiceParam,
  optionalChoiceParam,
  optionalTextParam,
  textParam,
  urlCodec,
} from "../../components/url/url-codec.ts";
import { type ChangeView, useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import styles from "./dry-run.module.css";
import { dryRunLine, dryRunSentence } from "./dry-run-messages.ts";
import { DryRunPeek } from "./dry-run-peek.tsx";

/** What a controller running with `--dry-run` would do: the latest plan of each object. */
export function DryRunPage() {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(dryRunUrl);
  const pending = usePending(cluster, view);
  const first = firstPageOf(pending.data);
  const peek = usePeek({ view, push, replace });
  const columns = useMemo(() => dryRunColumns(cluster), [cluster]);
  const peeked = rowsOf(pending.data)?.find(({ runId }) => runId === peek.current);
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>{t`Dry run`}</h1>
        <p className="lead second">{first === undefined ? "" : dryRunSentence(first)}</p>
      </header>
      <Shadow shadow={first?.shadow} />
      <DroppedNote dropped={dropped} />
      <SearchedList
        label={t`What would be done`}
        thing="object"
        filter={t`Filter objects`}
        placeholder={t`Name of an object`}
        tools={<ShowButtons counts={first?.counts} view={view} push={push} />}
        {...{ view, push, replace, columns }}
        url={URL_OF_LIST}
        query={pending}
        table="dry-run"
        exported={{ filter: dryRunFilter(view) }}
        isFiltered={view.text.trim() !== "" || view.controller !== undefined}
        matchless={{ all: t`Clear filters` }}
        none={<NothingPending view={view} push={push} first={first} />}
        rowKey={rowKey}
        folds="always"
        peek={{ ...peek, idOf: ({ runId }) => runId }}
        beside={
          peeked === undefined ? null : (
            <DryRunPeek row={peeked} onClose={() => peek.onPeek(undefined)} />
          )
        }
      />
    </div>
  );
}

const URL_OF_LIST = {
  format: (view: DryRunView) => dryRunUrl.format({ ...view, peek: undefined }),
  withoutFilters: (view: DryRunView) => ({ ...view, text: "", controller: undefined }),
};

function usePending(cluster: string, view: DryRunView) {
  const api = useApi();
  return useInfiniteQuery(
    api.shadow.pending.infiniteQueryOptions(
      {
        cluster,
        filter: dryRunFilter(view),
        sort: { by: "object", descending: false },
        ...PAGE_SIZES,
      },
      PAGED,
    ),
  );
}

function Shadow({ shadow }: { readonly shadow: ShadowPage["shadow"] }) {
  if (shadow === undefined) return null;
  return (
    <p className="quiet small">
      {mixed`${<IdentityText identity={shadow.identity} />} is in dry run beside the active
        controller and writes nothing.`}{" "}
      {shadow.leader ? "" : `${t`It does not lead, so it observes nothing now.`} `}
      {mixed`Last report: ${<TimeText at={shadow.heardAt} />}.`}
    </p>
  );
}

const LABELS: Readonly<Record<Shown, string>> = worded({
  changes: () => t`Would change`,
  stopped: () => t`Blocked or failed`,
  all: () => t`All`,
});

function ShowButtons({
  counts,
  view,
  push,
}: {
  readonly counts: ShadowPage["counts"] | undefined;
  readonly view: DryRunView;
  readonly push: ChangeView<DryRunView>;
}) {
  return (
    <fieldset className={`pad-0 flush frameless ${page.plainGroup}`}>
      <legend className="visually-hidden">{t`What is listed`}</legend>
      {(["changes", "stopped", "all"] as const).map((show) => (
        <Button
          key={show}
          active={view.show === show}
          aria-pressed={view.show === show}
          onClick={() => push((now) => ({ ...now, show }))}
        >
          {LABELS[show]} {counts === undefined ? "" : formatCount(counts[show])}
        </Button>
      ))}
    </fieldset>
  );
}

function rowKey({ controller, object: { kind, namespace = "", name } }: ShadowRow): string {
  return `${controller} ${kind} ${namespace}/${name}`;
}

function NothingPending({
  view,
  push,
  first,
}: {
  readonly view: DryRunView;
  readonly push: ChangeView<DryRunView>;
  readonly first: ShadowPage | undefined;
}) {
  if (first?.shadow === undefined) {
    return (
      <EmptyState title={t`No controller has done a dry run in this cluster`}>
        {mixed`Start one beside the active controller with ${<code>cloudwright controller --dry-run</code>}.
          It leads by its own Lease and writes nothing, and what it would do is listed here.`}
      </EmptyState>
    );
  }
  if (view.show === "all") return <EmptyState title={t`Nothing has been observed yet`} />;
  const isChanges = view.show === "changes";
  return (
    <EmptyState
      title={
        isChanges ? t`Nothing would be changed` : t`Nothing is blocked, and nothing has failed`
      }
    >
      <span className="inline-flex wrap gap-2">
        {isChanges && first.counts.stopped > 0 ? (
          <Button onClick={() => push((now) => ({ ...now, show: "stopped" }))}>
            {t`Show what is blocked or has failed`}
          </Button>
        ) : null}
        <Button onClick={() => push((now) => ({ ...now, show: "all" }))}>
          {t`Show everything that was observed`}
        </Button>
      </span>
    </EmptyState>
  );
}

/** The columns for an object, what the dry run would do with it, and the run that says so. */
export function dryRunColumns(cluster: string): readonly Column<ShadowRow>[] {
  return [
    column(["object", t`Object`, 200, { narrow: "first", pinned: true }], ({ object, runId }) => (
      <Link
        className={`strong ${styles.name}`}
        href={addresses.run(cluster, runId)}
        prefetch={false}
      >
        {fullName(object)}
      </Link>
    )),
    column(["would", t`Would`, 420, { grows: true, folds: true, narrow: "line" }], (row) => (
      <Would row={row} />
    )),
    column(["kind", t`Kind`, 110], ({ object }) => object.kind),
    column(["controller", t`Controller`, 150], ({ controller }) => controllerOf(controller).label),
    column(["outcome", t`Outcome`, 156], ({ outcome }) => (
      <RowStatus status={outcomePresentation({ outcome, dryRun: true })} />
    )),
    timeColumn(["at", t`Planned`, 112, { align: "end", narrow: "second" }], ({ at }) => at),
  ];
}

function Would({ row }: { readonly row: ShadowRow }) {
  const text = dryRunLine(row, useTimeLabels());
  return (
    <span className={row.changes.length === 0 ? "quiet" : undefined} title={text}>
      {text}
    </span>
  );
}

const SHOWN = ["changes", "stopped", "all"] as const;
type Shown = (typeof SHOWN)[number];

interface DryRunView {
  readonly show: Shown;
  readonly text: string;
  readonly controller: KnownController | undefined;
  /** Id of the run open beside the list. */
  readonly peek: string | undefined;
}

export const dryRunUrl = urlCodec<DryRunView>({
  show: choiceParam("show", SHOWN, "changes"),
  text: textParam("q"),
  controller: optionalChoiceParam("controller", CONTROLLER_NAMES),
  peek: optionalTextParam("peek"),
});

export function dryRunFilter({ show, text, controller }: DryRunView): ShadowFilter {
  return { show, text: text.trim() === "" ? undefined : text.trim(), controller };
}
