"use client";
import { type Intent, isFinal } from "@cloudwright/core/model/intent";
import { objectName } from "@cloudwright/core/model/object-ref";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "../../components/api.ts";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { problemOf } from "../../components/problem.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { actionTitle } from "./action-title.ts";
import styles from "./action-tray.module.css";
import { takeFromTray, useTray } from "./tray-store.ts";

const POLL_MS = 2_000;

/** What this browser asked for, with its progress, on every page until it is put away. */
export function ActionTray({ cluster }: { readonly cluster: string }) {
  const ids = useTray(cluster);
  if (ids.length === 0) return null;
  return (
    <section className={styles.tray} aria-label="Your actions">
      {ids.map((id) => (
        <TrayItem key={id} cluster={cluster} id={id} />
      ))}
    </section>
  );
}

function TrayItem({ cluster, id }: { readonly cluster: string; readonly id: string }) {
  const intent = useIntent(cluster, id);
  return (
    <article className={styles.item}>
      <div className={styles.head}>
        <Link href={addresses.action(cluster, id)} className={styles.title}>
          {intent.data === undefined ? "Action" : actionTitle(intent.data)}
        </Link>
        <button
          type="button"
          className={styles.close}
          aria-label={`Put away ${intent.data === undefined ? "this action" : objectName(intent.data.object)}`}
          onClick={() => takeFromTray(cluster, id)}
        >
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="1.6" />
          </svg>
        </button>
      </div>
      <p role="status" className={styles.state}>
        {intent.data === undefined ? (
          intent.error === null ? (
            "Loading…"
          ) : (
            problemOf(intent.error).sentence
          )
        ) : (
          <Progress intent={intent.data} />
        )}
      </p>
    </article>
  );
}

function Progress({ intent }: { readonly intent: Intent }) {
  return (
    <>
      <StatusChip status={INTENT_PRESENTATION[intent.state]} />
      <span className={styles.result}>
        {intent.result ?? INTENT_PRESENTATION[intent.state].help}
      </span>
    </>
  );
}

/** One action; asked for again by itself until it is over, should the live stream be lost. */
export function useIntent(cluster: string, id: string) {
  const api = useApi();
  return useQuery(
    api.intents.byId.queryOptions(
      { cluster, id },
      {
        refetchInterval: ({ state }) =>
          state.data === undefined || isFinal(state.data.state) ? false : POLL_MS,
      },
    ),
  );
}
