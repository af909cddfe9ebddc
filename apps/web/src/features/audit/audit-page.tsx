"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { FilterChips } from "../../components/filter-chips.tsx";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { useNow } from "../../components/time/ticker.ts";
import { HISTOGRAM_PARTS, TimeHistogram } from "../../components/time-histogram/time-histogram.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { type ChangeView, useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { NewestList } from "../../platform/lists/newest-list.tsx";
import { useFresh, useHeldList } from "../../platform/lists/use-held-list.ts";
import { PAGE_SIZES, PAGED, useNextPage } from "../../platform/lists/use-loaded-rows.ts";
import { auditColumns } from "./audit-columns.tsx";
import { parseAuditFilter, withoutAuditTerm } from "./audit-grammar.ts";
import { AuditToolbar } from "./audit-toolbar.tsx";
import { type AuditFilter, type AuditView, auditFilter, auditUrl, chainOf } from "./audit-url.ts";
import { ChainPanel } from "./chain-panel.tsx";

const MINUTE = 60_000;
const ENTRIES = worded({
  one: () => t`entry`,
  many: () => t`entries`,
});

const loadPeek = () => import("./audit-peek.tsx").then(({ AuditPeek }) => AuditPeek);

/** Who did what, and why (UX brief, section 9). */
export function AuditPage() {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(auditUrl);
  const minute = Math.floor(useNow() / MINUTE) * MINUTE;
  const filter = useMemo(() => auditFilter(view, minute), [view, minute]);
  const audit = useAudit(cluster, view, filter);
  const histogram = useAuditHistogram(cluster, view, filter);
  const peek = usePeek({ view, push, replace });
  const columns = useAuditColumns(view, peek);
  useShortcuts({ r: () => void audit.query.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>{t`Audit`}</h1>
        <p className="lead second">{t`Who did what, to which object, and why.`}</p>
        <Link className="push" href={addresses.incidents(cluster)}>
          {t`Shared incidents`}
        </Link>
      </header>
      <ChainPanel chain={chainOf(cluster, view)} />
      <AuditToolbar {...{ view, filter, columns, push, replace }} />
      <FilterChips
        terms={parseAuditFilter(view.text).terms}
        onRemove={(term) => push((now) => ({ ...now, text: withoutAuditTerm(now.text, term) }))}
      />
      <DroppedNote dropped={dropped} />
      <TimeHistogram
        label={t`Histogram`}
        thing={ENTRIES}
        query={histogram}
        onChoose={(between) => push((now) => ({ ...now, between }))}
      />
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <PeekLayout peek={<Beside view={view} push={push} peek={peek} />}>
          <AuditPanel {...{ view, push, peek, audit, columns }} />
        </PeekLayout>
      </div>
    </div>
  );
}

interface PartProps {
  readonly view: AuditView;
  readonly push: ChangeView<AuditView>;
  readonly peek: Peek;
}

function Beside({ view, push, peek }: PartProps) {
  const cluster = useClusterId();
  const AuditPeek = useFetched(loadPeek, peek.current);
  if (peek.current === undefined || AuditPeek === undefined) return null;
  return (
    <AuditPeek
      chain={chainOf(cluster, view)}
      seq={Number(peek.current)}
      onClose={() => peek.onPeek(undefined)}
      onFilter={(term) => push((now) => ({ ...now, text: term }))}
    />
  );
}

function useAuditColumns(view: AuditView, { onPeek }: Peek) {
  const cluster = useClusterId();
  return useMemo(
    () =>
      auditColumns({
        cluster,
        peekHref: (seq) =>
          addresses.audit(cluster, auditUrl.format({ ...view, peek: String(seq) })),
        onPeek: (seq) => onPeek(String(seq)),
      }),
    [cluster, view, onPeek],
  );
}

function AuditPanel({
  view,
  push,
  peek,
  audit,
  columns,
}: PartProps & {
  readonly audit: ReturnType<typeof useAudit>;
  readonly columns: ReturnType<typeof auditColumns>;
}) {
  return (
    <NewestList
      label={t`Audit entries`}
      table="audit"
      thing={ENTRIES}
      newest={audit}
      columns={columns}
      isCounted
      rowKey={({ id }) => id}
      peek={{ ...peek, idOf: ({ seq }) => String(seq) }}
      empty={<NoEntries view={view} push={push} />}
    />
  );
}

function NoEntries({
  view,
  push,
}: {
  readonly view: AuditView;
  readonly push: ChangeView<AuditView>;
}) {
  const isFiltered = view.text !== "" || view.from !== "all" || view.between !== undefined;
  return (
    <EmptyState
      title={isFiltered ? t`No entry matches this filter` : t`No entry has been written yet`}
    >
      {isFiltered ? (
        <Button
          onClick={() => push((now) => ({ ...now, text: "", from: "all", between: undefined }))}
        >
          {t`Show all entries`}
        </Button>
      ) : (
        t`Each change to the cluster and each request by a user adds one here.`
      )}
    </EmptyState>
  );
}

const NEWEST_FIRST = { by: "inserted", descending: true } as const;

/**
 * Reads the entries of a chain under a filter, newest first, page by page. Entries since the list was opened are counted in `fresh` and
 * join the list on request.
 */
function useAudit(cluster: string, view: AuditView, filter: AuditFilter) {
  const api = useApi();
  const chain = chainOf(cluster, view);
  const held = useHeldList(cluster, filter, JSON.stringify({ chain, ...filter, from: view.from }));
  const query = useInfiniteQuery(
    api.audit.list.infiniteQueryOptions(
      { cluster: chain, filter: held.shown, sort: NEWEST_FIRST, ...PAGE_SIZES },
      PAGED,
    ),
  );
  const newer = useQuery(
    api.audit.list.queryOptions({
      cluster: chain,
      filter: held.newer,
      sort: NEWEST_FIRST,
      limit: 1,
    }),
  ).data;
  const rows = useMemo(() => rowsOf(query.data), [query.data]);
  const fresh = useFresh(
    held,
    { total: newer?.total, newestAt: newer?.rows[0]?.at },
    rows?.length === 0 && !query.isPlaceholderData,
  );
  const onNearEnd = useNextPage(query);
  return { query, rows, total: firstPageOf(query.data)?.total, fresh, onNearEnd };
}

/** Reads when the entries of a filter were written. */
function useAuditHistogram(cluster: string, view: AuditView, filter: AuditFilter) {
  const api = useApi();
  const input = { cluster: chainOf(cluster, view), filter, parts: HISTOGRAM_PARTS };
  return useQuery(api.audit.histogram.queryOptions(input, { placeholderData: keepPreviousData }));
}
