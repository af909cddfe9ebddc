"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { Incident, KeptSnapshot } from "@cloudwright/store/views/incidents";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { CopyTextButton } from "../../components/button/copy-button.tsx";
import { IsOldContext } from "../../components/freshness/freshness.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, Skeleton } from "../../components/page/panel-states.tsx";
import { PendingPage } from "../../components/page/pending-page.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { isNotFound } from "../../components/problem.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { formatInstant } from "../../components/time/format-time.ts";
import { addresses } from "../../components/url/addresses.ts";
import { objectAddress } from "../../components/url/object-address.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { DocumentTitle } from "../../platform/shell/document-title.tsx";
import { subjectOf } from "./incident-words.ts";
import styles from "./incidents.module.css";

const loadParts = () => import("./incident-parts.tsx").then(({ IncidentParts }) => IncidentParts);
const loadDelete = () =>
  import("./delete-incident.tsx").then(({ DeleteIncident }) => DeleteIncident);

/** What was seen at one moment, as it was then. */
export function IncidentPage({ id }: { readonly id: string }) {
  const cluster = useClusterId();
  const api = useApi();
  const incident = useQuery(api.incidents.byId.queryOptions({ cluster, id }));
  if (incident.data === undefined) {
    return <PendingPage title={t`Incident`} query={incident} notFound={<Unknown />} />;
  }
  // It is as old as it says, however fresh the cluster's other pages are.
  return (
    <IsOldContext value={false}>
      <article className={page.scrolling} data-frozen="">
        <Head incident={incident.data} isDeleted={isNotFound(incident.error)} />
        {incident.data.snapshot === undefined ? (
          <EmptyState isCard title={t`This release cannot read what was shared`}>
            {t`It was saved by another release of the dashboard, in a form that this one cannot
              read.`}
          </EmptyState>
        ) : (
          <Parts snapshot={incident.data.snapshot} />
        )}
      </article>
    </IsOldContext>
  );
}

function Parts({ snapshot }: { readonly snapshot: KeptSnapshot }) {
  const IncidentParts = useFetched(loadParts, snapshot);
  return IncidentParts === undefined ? <Skeleton /> : <IncidentParts kept={snapshot} />;
}

function Unknown() {
  const cluster = useClusterId();
  return (
    <EmptyState isPage title={t`No such incident is kept in this cluster`}>
      {mixed`It may have been deleted, or removed because it was old.
        ${<Link href={addresses.incidents(cluster)}>{t`Show all incidents`}</Link>}`}
    </EmptyState>
  );
}

interface HeadProps {
  readonly incident: Incident;
  /** Since this page was loaded. */
  readonly isDeleted: boolean;
}

function Head({ incident, isDeleted }: HeadProps) {
  const cluster = useClusterId();
  const { title, snapshot } = incident;
  const subject = subjectOf(incident);
  return (
    <>
      <DocumentTitle title={t`${title ?? subject}, incident`} />
      <nav aria-label={t`Breadcrumbs`} className={`small ${styles.crumbs}`}>
        <Link href={addresses.incidents(cluster)}>{t`Incidents`}</Link>
      </nav>
      <header className="row">
        <h1 className={page.title}>{title ?? subject}</h1>
        {snapshot?.state === undefined ? null : (
          <StatusChip status={STATE_PRESENTATION[snapshot.state]} prominent />
        )}
      </header>
      <AsOf incident={incident} isDeleted={isDeleted} />
    </>
  );
}

/** The prominent note that this is not the current state. */
function AsOf({ incident, isDeleted }: HeadProps) {
  const { zone } = usePreferences();
  const cluster = useClusterId();
  const [isAsked, setAsked] = useState(false);
  const DeleteIncident = useFetched(loadDelete, isAsked || undefined);
  const { id, madeAt, madeBy, title, snapshot } = incident;
  const mayDelete = incident.mayDelete && !isDeleted;
  const link = () => `${window.location.origin}${addresses.sharedIncident(id)}`;
  return (
    <div className={`grid gap-3 pad-3-4 ${page.card} ${styles.frozen}`}>
      <p className="lead flush">
        <strong>{t`As of ${formatInstant(madeAt, zone)}, by ${madeBy}.`}</strong>{" "}
        {t`This page no longer changes.`}
      </p>
      {title === undefined ? null : <p className="second flush">{subjectOf(incident)}</p>}
      <div className={`buttons centred ${styles.buttons}`}>
        {snapshot === undefined ? null : (
          <Link className="bold" href={liveAddress(cluster, snapshot)}>
            {t`See how it is now`}
          </Link>
        )}
        <span className="push" />
        {isDeleted ? null : <CopyTextButton label={t`Copy link`} text={link} />}
        <Button onClick={() => window.print()}>{t`Print…`}</Button>
        {mayDelete && !isAsked ? (
          <Button onClick={() => setAsked(true)}>{t`Delete…`}</Button>
        ) : null}
      </div>
      {isDeleted ? (
        <p role="status" className="failure flush">
          {t`It has been deleted since: its link no longer works, and once you leave this page, it is gone.`}
        </p>
      ) : null}
      {mayDelete && isAsked && DeleteIncident !== undefined ? (
        <DeleteIncident id={id} onEnd={() => setAsked(false)} />
      ) : null}
    </div>
  );
}

function liveAddress(cluster: string, { about }: KeptSnapshot): string {
  switch (about.kind) {
    case "run":
      return addresses.run(cluster, about.id);
    case "object":
      return (
        objectAddress(cluster, { kind: about.of, name: about.name }) ??
        addresses.runs(cluster, `key:${about.name}`)
      );
    case "problem":
      return addresses.overview(cluster);
  }
}
