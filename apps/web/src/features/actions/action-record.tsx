"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { IdentityText } from "../../components/identity-text.tsx";
import page from "../../components/page.module.css";
import { ErrorState } from "../../components/panel-states.tsx";
import { ClockText } from "../../components/time/time-text.tsx";
import styles from "./action-page.module.css";

const AUDIT_WORDS: Readonly<Record<string, string>> = {
  "intent.request": "asked for it",
  "intent.claim": "claimed it",
  "intent.end": "ended it",
  "node.initialise": "initialised the node",
  "node.addresses": "wrote the node's addresses",
  "node.labels": "wrote the node's labels",
  "node.shutdown-taint": "changed the shutdown taint",
  "node.delete": "deleted the node",
  "node.hold": "held the node",
  "node.release": "released the node",
  "node.override": "removed the taint, unfinished",
  "node.override-end": "put the taint back",
  "controller.pause": "paused the controller",
  "controller.resume": "resumed the controller",
  "guard.release": "released the deletions",
};

/** The audit entries of an action, from its request to its end. */
export function ActionRecord({ cluster, id }: { readonly cluster: string; readonly id: string }) {
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
