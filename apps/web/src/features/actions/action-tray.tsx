"use client";
import { type Intent, isFinal } from "@cloudwright/core/model/intent";
import { objectName } from "@cloudwright/core/model/object-ref";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "../../components/api.ts";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { problemOf } from "../../components/problem.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { actionTitle } from "./action-title.ts";
import styles from "./action-tray.module.css";
import { takeFromTray, useTray } from "./tray-store.ts";

const POLL_MS = 2_000;

/** What this browser asked for, with its progress, under every page until it is put away. It covers nothing. */
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
  const { data, error } = useIntent(cluster, id);
  return (
    <article className={styles.item} data-folded={data !== undefined && isSettled(data)}>
      <p role="status" className={styles.state}>
        {data === undefined ? (
          <span className={styles.result}>
            {error === null ? "Loading…" : problemOf(error).sentence}
          </span>
        ) : (
          <Progress intent={data} />
        )}
      </p>
      <Link href={addresses.action(cluster, id)} className={styles.title}>
        {data === undefined ? "Action" : actionTitle(data)}
      </Link>
      <button
        type="button"
        className={styles.close}
        aria-label={`Put away ${data === undefined ? "this action" : objectName(data.object)}`}
        onClick={() => takeFromTray(cluster, id)}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </button>
    </article>
  );
}

/** Ended as it was meant to: one line says it, also on a narrow screen. Of what failed the reason stays in sight. */
function isSettled({ state }: Intent): boolean {
  return state === "verified" || state === "cancelled";
}

function Progress({ intent }: { readonly intent: Intent }) {
  const result = intent.result ?? INTENT_PRESENTATION[intent.state].help;
  return (
    <>
      <StatusChip status={INTENT_PRESENTATION[intent.state]} />
      <span className={styles.result} title={result}>
        {keepUnits(result)}
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
