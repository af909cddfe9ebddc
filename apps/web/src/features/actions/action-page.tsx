"use client";
import { CONTROLLERS } from "@cloudwright/core/model/controller-names";
import { type Intent, isFinal } from "@cloudwright/core/model/intent";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "../../components/api.ts";
import { DocumentTitle } from "../../components/document-title.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import page from "../../components/page.module.css";
import { ErrorState, PageSkeleton } from "../../components/panel-states.tsx";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { ClockText, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./action-page.module.css";
import { actionTitle } from "./action-title.ts";
import { useIntent } from "./action-tray.tsx";
import { StepsLine } from "./steps-line.tsx";

export function ActionPage({ cluster, id }: { readonly cluster: string; readonly id: string }) {
  const intent = useIntent(cluster, id);
  if (intent.data === undefined) {
    return (
      <div className={page.scrolling}>
        {intent.isError ? (
          <ErrorState error={intent.error} retry={() => void intent.refetch()} />
        ) : (
          <PageSkeleton />
        )}
      </div>
    );
  }
  const { data } = intent;
  return (
    <div className={page.scrolling}>
      <DocumentTitle title={`${actionTitle(data)}, ${INTENT_PRESENTATION[data.state].label}`} />
      <nav aria-label="Way back" className={styles.crumbs}>
        <Link href={addresses.actions(cluster)}>Actions</Link>
      </nav>
      <header className={styles.header}>
        <h1 className={page.title}>{actionTitle(data)}</h1>
        <StatusChip status={INTENT_PRESENTATION[data.state]} prominent />
      </header>
      <p className={page.sentence} role="status">
        {keepUnits(data.result ?? INTENT_PRESENTATION[data.state].help)}
      </p>
      <div className={`${page.card} ${styles.card}`}>
        <StepsLine intent={data} />
      </div>
      <div className={`${page.card} ${styles.card}`}>
        <Facts cluster={cluster} intent={data} />
      </div>
      <AuditRecord cluster={cluster} id={id} />
    </div>
  );
}

function Facts({ cluster, intent }: { readonly cluster: string; readonly intent: Intent }) {
  return (
    <dl className={styles.facts}>
      <dt>Object</dt>
      <dd>
        <Link href={addresses.node(cluster, intent.object.name)}>{intent.object.name}</Link>
      </dd>
      <dt>Controller</dt>
      <dd>{CONTROLLERS[intent.controller].label}</dd>
      <dt>Reason</dt>
      <dd>{intent.why}</dd>
      <dt>Asked by</dt>
      <dd>
        {intent.actor}, <TimeText at={intent.requestedAt} />
      </dd>
      <dt>Claimed by</dt>
      <dd>
        {intent.claimedBy === undefined ? (
          "nobody yet"
        ) : (
          <>
            <IdentityText identity={intent.claimedBy} />, term{" "}
            {intent.claimedTransition ?? "unknown"}
          </>
        )}
      </dd>
      {isFinal(intent.state) ? null : (
        <>
          <dt>Expires</dt>
          <dd>
            <TimeText at={intent.expiresAt} />
          </dd>
        </>
      )}
      <dt>Runs</dt>
      <dd>
        {intent.runIds.length === 0 ? "none yet" : null}
        {intent.runIds.map((run) => (
          <Link key={run} href={addresses.run(cluster, run)} className={styles.run}>
            {run.slice(-8)}
          </Link>
        ))}
      </dd>
    </dl>
  );
}

const AUDIT_WORDS: Readonly<Record<string, string>> = {
  "intent.request": "asked for it",
  "intent.claim": "claimed it",
  "intent.end": "ended it",
  "node.initialise": "initialised the node",
  "node.addresses": "wrote the node's addresses",
  "node.labels": "wrote the node's labels",
  "node.shutdown-taint": "changed the shutdown taint",
  "node.delete": "deleted the node",
};

function AuditRecord({ cluster, id }: { readonly cluster: string; readonly id: string }) {
  const api = useApi();
  const audit = useQuery(
    api.audit.list.queryOptions({
      cluster,
      filter: { intentId: id },
      sort: { by: "inserted", descending: false },
      limit: 100,
    }),
  );
  return (
    <section className={page.card} aria-labelledby="record">
      <h2 id="record" className={styles.heading}>
        Record
      </h2>
      {audit.isError ? <ErrorState error={audit.error} retry={() => void audit.refetch()} /> : null}
      {audit.data?.rows.length === 0 ? (
        <p className={styles.nothing}>No audit entry has arrived yet.</p>
      ) : null}
      <ol>
        {audit.data?.rows.map((entry) => (
          <li key={entry.id} className={styles.entry}>
            <ClockText at={entry.at} />
            <span>
              <strong>
                <IdentityText identity={entry.actor.name} />
              </strong>{" "}
              {AUDIT_WORDS[entry.action] ?? entry.action}
            </span>
            <span className={styles.why}>{entry.why}</span>
            <span>{entry.result}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
