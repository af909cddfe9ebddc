"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { objectRefOf } from "@cloudwright/core/model/object-ref";
import type { ObjectView } from "@cloudwright/store/views/object-view";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Diagnosis } from "../../components/diagnosis.tsx";
import { Fact, Facts } from "../../components/facts/fact.tsx";
import { Link } from "../../components/link.tsx";
import { useTrailKeys } from "../../components/neighbours/neighbours.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { PendingPage } from "../../components/page/pending-page.tsx";
import { Tabs } from "../../components/page/tabs.tsx";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { choiceParam, urlCodec } from "../../components/url/url-codec.ts";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { type ObjectTarget, objectAction } from "../../platform/actions/action-choice.ts";
import { EndingLine } from "../../platform/actions/ending-line.tsx";
import { OpenActions } from "../../platform/actions/open-actions.tsx";
import { useActionsOn } from "../../platform/live/use-cluster.ts";
import { LastTrace, OldTrace } from "../../platform/objects/late-trace.ts";
import { ObjectEventsTab } from "../../platform/objects/object-events-tab.tsx";
import {
  eventsOf,
  OBJECT_EVENT_PARAMS,
  type ObjectEventsView,
} from "../../platform/objects/object-events-url.ts";
import { ObjectHead } from "../../platform/objects/object-head.tsx";
import { ObjectRunsTab } from "../../platform/runs/object-runs-tab.tsx";
import { DocumentTitle } from "../../platform/shell/document-title.tsx";

interface Props {
  readonly kind: string;
  /** Includes the namespace, if there is one. */
  readonly name: string;
}

/** What is known about an object whose kind has no page of its own, because a third-party controller manages it. */
export function ObjectPage({ kind, name }: Props) {
  const cluster = useClusterId();
  const api = useApi();
  const object = useQuery(api.objects.byName.queryOptions({ cluster, kind, name }));
  useShortcuts({ r: () => void object.refetch() });
  useTrailKeys();
  if (object.data === undefined) {
    return (
      <PendingPage title={name} query={object} notFound={<Unknown kind={kind} name={name} />} />
    );
  }
  const { row } = object.data;
  return (
    <div className={page.scrolling}>
      <DocumentTitle title={`${name}, ${STATE_PRESENTATION[row.state].label}`} />
      <Head kind={kind} view={object.data} />
      <ObjectTabs kind={kind} name={name} />
    </div>
  );
}

function ObjectTabs({ kind, name }: Props) {
  const { view, dropped, push, replace } = useUrlState(objectUrl);
  return (
    <>
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`About this object`}
        tabs={[
          { id: "runs", label: t`Runs` },
          { id: "events", label: t`Events` },
        ]}
        current={view.tab}
        onChange={(tab) => push((now) => ({ ...now, tab }))}
      >
        {view.tab === "runs" ? (
          <ObjectRunsTab kind={kind} name={name} />
        ) : (
          <ObjectEventsTab kind={kind} name={name} {...eventsOf({ view, push, replace })} />
        )}
      </Tabs>
    </>
  );
}

const OBJECT_TABS = ["runs", "events"] as const;

interface ObjectPageView extends ObjectEventsView {
  readonly tab: (typeof OBJECT_TABS)[number];
}

const objectUrl = urlCodec<ObjectPageView>({
  tab: choiceParam("tab", OBJECT_TABS, "runs"),
  ...OBJECT_EVENT_PARAMS,
});

function Head({ kind, view }: { readonly kind: string; readonly view: ObjectView }) {
  const { row, createdAt, goneAt } = view;
  const cluster = useClusterId();
  const object = objectRefOf({ kind, name: row.name, uid: row.uid });
  const target = { cluster, controller: row.controller, object };
  return (
    <>
      <ObjectHead
        list={{ label: t`Controllers`, href: addresses.controllers(cluster) }}
        object={{ ...row, kind, goneAt }}
        actions={<Actions target={target} row={row} />}
      />
      <Diagnosis object={object} row={row} goneAt={goneAt} />
      {goneAt === undefined ? (
        <HoldNotice target={target} row={row} />
      ) : (
        <LastTrace kind={kind} name={row.name} />
      )}
      <OpenActions of={view} />
      <Facts>
        <Fact label={t`Kind`}>{kind}</Fact>
        <Fact label={t`Controller`}>{controllerOf(row.controller).label}</Fact>
        <Fact label={t`Last run`}>
          <Link href={addresses.run(cluster, row.lastRun.id)} prefetch={false}>
            <TimeText at={row.lastRun.at} />
          </Link>
        </Fact>
        <Fact label={t`Since`}>
          {createdAt === undefined ? t`not known` : <TimeText at={createdAt} />}
        </Fact>
        <Fact label={t`Audit`}>
          <Link href={addresses.audit(cluster, `?q=${encodeURIComponent(`object:${row.name}`)}`)}>
            {t`What was changed, and by whom`}
          </Link>
        </Fact>
      </Facts>
    </>
  );
}

interface OfRow {
  readonly target: ObjectTarget;
  readonly row: ObjectView["row"];
}

/** A hold that kubectl set without an end has no countdown; the diagnosis mentions it. */
function HoldNotice({ target, row: { reason } }: OfRow) {
  if (reason.code !== "HeldByAnnotation" || reason.untilMs === undefined) return null;
  return (
    <EndingLine
      choice={objectAction(target, "hold")}
      what={reason.by === undefined ? t`Held` : t`Held by ${reason.by}`}
      until={reason.untilMs}
      afterwards={t`Then the hold lifts by itself and it gets what it needs.`}
    />
  );
}

function Actions({ target, row }: OfRow) {
  const { cluster, controller, object } = target;
  const declared = useActionsOn(cluster, controller, object.kind);
  const notNow = row.reason.code === "HeldByAnnotation" ? "hold" : "release";
  const [retry, ...others] = declared
    .filter((kind) => kind !== notNow)
    .map((kind) => objectAction(target, kind));
  return (
    <div className="buttons">
      {retry === undefined ? null : (
        <>
          <ActionButton choice={retry} appearance="primary" />
          <ActionButton choice={{ ...retry, isDryRun: true }} />
        </>
      )}
      {others.map((choice) => (
        <ActionButton key={choice.kind} choice={choice} />
      ))}
    </div>
  );
}

function Unknown({ kind, name }: Props) {
  const cluster = useClusterId();
  return (
    <EmptyState isPage title={t`No ${kind} ${name} is known in this cluster`}>
      <OldTrace kind={kind} name={name} />
      <Link href={addresses.runs(cluster, `key:${name}`)}>{t`Look for its runs`}</Link>
    </EmptyState>
  );
}
