"use client";
import { t } from "@cloudwright/core/model/language/text";
import {
  EVENT_TYPES,
  type EventWatch,
  WATCHED_KINDS,
} from "@cloudwright/core/model/records/object-event";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import styles from "../../components/page/detail-page.module.css";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { SearchBox } from "../../components/search-box.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { type ChangeView, useClusterId } from "../../components/url/use-url-state.ts";
import { ExportMenu } from "../lists/export-menu.tsx";
import { wanted } from "../lists/list-view.ts";
import { EmptyList, LoadedList } from "../lists/loaded-list.tsx";
import { PAGE_SIZES, PAGED, useLoadedRows } from "../lists/use-loaded-rows.ts";
import { EVENT_TYPE_PRESENTATION, objectEventColumns } from "./object-event-columns.tsx";
import type { ObjectEventsView } from "./object-events-url.ts";

interface Props {
  readonly kind: string;
  /** Includes the namespace, if there is one. */
  readonly name: string;
  readonly view: ObjectEventsView;
  readonly push: ChangeView<ObjectEventsView>;
  readonly replace: ChangeView<ObjectEventsView>;
}

/** The Kubernetes Events about an object, newest first: those of other components that the ledger keeps, and ours with their runs. */
export function ObjectEventsTab({ kind, name, view, push, replace }: Props) {
  const cluster = useClusterId();
  const asked = askedOf({ kind, name, view });
  const query = useEvents(cluster, asked);
  const what = JSON.stringify(asked);
  const rows = useLoadedRows(query, { what, keyOf });
  const columns = useMemo(() => objectEventColumns(cluster), [cluster]);
  const onText = useCallback(
    (eventText: string) => replace((now) => ({ ...now, eventText })),
    [replace],
  );
  const watch = firstPageOf(query.data)?.watch;
  const isFiltered = wanted(view.eventText) !== undefined || view.eventType !== undefined;
  return (
    <div className={`${page.card} flex column clip ${styles.runs}`}>
      <div className={`${page.toolbar} pad-2-4`}>
        <SearchBox
          label={t`Filter Events`}
          placeholder={t`Reason, message or component`}
          value={view.eventText}
          onChange={onText}
        />
        <TypeButtons view={view} push={push} />
        <span className="push" />
        <ExportMenu of={{ list: "events", cluster, ...asked }} />
      </div>
      <LoadedList
        label={t`Events of ${name}`}
        thing="event"
        columns={columns}
        rowKey={keyOf}
        folds="always"
        list={rows}
        isFiltered={isFiltered}
        empty={
          <EmptyList
            thing="event"
            isFiltered={isFiltered}
            onClear={() => push((now) => ({ ...now, ...ALL }))}
            none={<NoEvents kind={kind} watch={watch} />}
          />
        }
        below={<WatchNote kind={kind} watch={watch} />}
      />
    </div>
  );
}

const ALL: ObjectEventsView = { eventText: "", eventType: undefined };

function keyOf({ id }: { readonly id: string }): string {
  return id;
}

function askedOf({ kind, name, view }: Pick<Props, "kind" | "name" | "view">) {
  const { eventText, eventType } = view;
  const eventTypes = eventType === undefined ? undefined : [eventType];
  const sort = { by: "at", descending: true } as const;
  return { filter: { kind, name, eventTypes, text: wanted(eventText) }, sort };
}

function useEvents(cluster: string, asked: ReturnType<typeof askedOf>) {
  const api = useApi();
  return useInfiniteQuery(
    api.events.ofObject.infiniteQueryOptions({ cluster, ...asked, ...PAGE_SIZES }, PAGED),
  );
}

function TypeButtons({ view, push }: Pick<Props, "view" | "push">) {
  return EVENT_TYPES.map((type) => {
    const isOn = view.eventType === type;
    return (
      <Button
        key={type}
        active={isOn}
        aria-pressed={isOn}
        onClick={() => push((now) => ({ ...now, eventType: isOn ? undefined : type }))}
      >
        {EVENT_TYPE_PRESENTATION[type].label}
      </Button>
    );
  });
}

interface Watched {
  readonly kind: string;
  /** Undefined for a release that records none. */
  readonly watch: EventWatch | undefined;
}

function NoEvents(watched: Watched) {
  return (
    <EmptyState title={t`There are no Events for it`}>
      {isRecorded(watched)
        ? t`Neither Cloudwright nor any other component has sent one in the time that the ledger covers.`
        : mixed`Cloudwright has sent none about it. ${whyUnwatched(watched)}`}
    </EmptyState>
  );
}

/** Says which Events are missing from the list. */
function WatchNote(watched: Watched) {
  return (
    <p className="pad-2-4 small quiet line-above">
      {isRecorded(watched) && watched.watch?.leftOut === 0
        ? t`Kubernetes removes Events after about an hour; the ledger keeps them as long as runs.`
        : whyUnwatched(watched)}
    </p>
  );
}

function isRecorded({ kind, watch }: Watched): boolean {
  return isWatchedKind(kind) && watch?.state === "watching";
}

function isWatchedKind(kind: string): boolean {
  return WATCHED_KINDS.some((watched) => watched === kind);
}

function whyUnwatched({ kind, watch }: Watched): ReactNode {
  if (!isWatchedKind(kind)) {
    return t`Events of other components are recorded for nodes, Services, volumes and claims only.`;
  }
  switch (watch?.state) {
    case undefined:
    case "off":
      return mixed`Events of other components are not recorded: start the controllers with
        ${<code>--watch-events</code>}, and grant them list and watch on events.`;
    case "denied":
      return t`Events of other components are not recorded: the controller may not read them. Grant it list and watch on events, as in deploy/rbac/watched-events.yaml.`;
    case "starting":
      return t`The Events of other components are being read for the first time.`;
    case "watching":
      return t`Since the leader took over, ${formatCount(watch.leftOut)} Events of other components were left out, because too many came at once.`;
  }
}
