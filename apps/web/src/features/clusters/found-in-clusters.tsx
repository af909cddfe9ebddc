"use client";
import { formatCount } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";
import type { FoundInCluster, FoundInFleet } from "@cloudwright/store/views/fleet";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { type FoundEntry, foundEntries } from "../../platform/shell/palette/found-entries.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import styles from "./fleet.module.css";

/** Everything that a text means, cluster by cluster. */
export function FoundInClusters({ text }: { readonly text: string }) {
  const api = useApi();
  const found = useQuery(
    api.fleet.find.queryOptions({ text }, { placeholderData: keepPreviousData }),
  );
  if (found.data === undefined) return <Pending query={found} lines={4} isCard />;
  if (found.data.clusters.length === 0) {
    return (
      <EmptyState title={t`Nothing found for “${text}”`} isCard>
        {t`Names, addresses, provider IDs and the IDs of disks and load balancers are found by
            any part of them; UIDs and the IDs of cloud calls by their first 8 characters; runs
            and actions by their whole ID.`}
      </EmptyState>
    );
  }
  return (
    <>
      <p role="status" className="small quiet">
        {foundSentence(found.data)}
      </p>
      {found.data.clusters.map((each) => (
        <FoundCard key={each.cluster} found={each} text={text} />
      ))}
    </>
  );
}

function foundSentence({ clusters, searched }: FoundInFleet): string {
  return t`Found in ${formatCount(clusters.length)} of ${countOf(searched, "cluster")}.`;
}

function FoundCard({ found, text }: { readonly found: FoundInCluster; readonly text: string }) {
  const { cluster, name } = found;
  return (
    <section className={page.card} aria-label={name}>
      <h2 className="card-title">
        <Link href={addresses.overview(cluster)} className="ink">
          {name}
        </Link>
      </h2>
      <ul className={styles.foundList}>
        {foundEntries(cluster, text, found.found).map((entry) => (
          <FoundRow key={entry.href} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function FoundRow({
  entry: { group, label, description, status, href },
}: {
  readonly entry: FoundEntry;
}) {
  return (
    <li className={`centred gap-2-4 pad-2-4 ${styles.found}`}>
      {status === undefined ? <span /> : <StatusIcon status={status} size={14} />}
      <Link href={href} className="strong break">
        {label}
      </Link>
      <span className="small second break">
        {description}
        {status === undefined ? null : <span className="visually-hidden">, {status.label}</span>}
      </span>
      <span className="small quiet">{group}</span>
    </li>
  );
}
