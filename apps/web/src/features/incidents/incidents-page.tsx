"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { IncidentRow } from "@cloudwright/store/views/incidents";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { PageHead } from "../../components/page/page-head.tsx";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { subjectOf } from "./incident-words.ts";
import styles from "./incidents.module.css";

/** The incidents that users have shared, so that a link can be found again. */
export function IncidentsPage() {
  const cluster = useClusterId();
  const api = useApi();
  const incidents = useQuery(api.incidents.list.queryOptions({ cluster }));
  return (
    <div className={page.scrolling}>
      <PageHead title={t`Incidents`} sentence={t`What users shared, as it was at that moment.`} />
      {incidents.data === undefined || incidents.data.length === 0 ? null : (
        <div className={page.toolbar}>
          <span className="push" />
          <ExportMenu of={{ list: "incidents", cluster, filter: {} }} />
        </div>
      )}
      {incidents.data === undefined ? (
        <Pending query={incidents} lines={4} isCard />
      ) : (
        <Listed incidents={incidents.data} />
      )}
    </div>
  );
}

function Listed({ incidents }: { readonly incidents: readonly IncidentRow[] }) {
  const cluster = useClusterId();
  if (incidents.length === 0) {
    return (
      <EmptyState isCard title={t`Nothing has been shared yet`}>
        {mixed`${<em>{t`Share what you see`}</em>} is on the page of each run and object, and on
          each row of the Overview that needs you.`}
      </EmptyState>
    );
  }
  return (
    <ol className={`flush pad-0 ${page.card} ${styles.list}`} aria-label={t`Incidents`}>
      {incidents.map((incident) => (
        <Row key={incident.id} {...{ cluster, incident }} />
      ))}
    </ol>
  );
}

function Row({ cluster, incident }: { readonly cluster: string; readonly incident: IncidentRow }) {
  const { id, title, madeBy, madeAt } = incident;
  const subject = subjectOf(incident);
  return (
    <li className="grid gap-1 pad-3-4">
      <Link className={`break ${styles.link}`} href={addresses.incident(cluster, id)}>
        {title ?? subject}
      </Link>
      <span className="quiet small break">
        {title === undefined ? null : `${subject} · `}
        {mixed`by ${madeBy}, ${<TimeText at={madeAt} />}`}
      </span>
    </li>
  );
}
