"use client";
import { type Intent, isReadable } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { objectName } from "@cloudwright/core/model/object-ref";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { Link } from "../../../components/link.tsx";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { INTENT_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import { problemOf } from "../../../components/problem.ts";
import { StatusChip } from "../../../components/status/status-chip.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { actionTitle } from "../../wording/action-title.ts";
import { titleOfMany } from "../bulk-title.ts";
import { CancelButton } from "../cancel-button.tsx";
import { LoopLines } from "../loop-lines.tsx";
import { useBatch } from "../use-batch.ts";
import { askFor } from "../use-intent.ts";
import styles from "./action-tray.module.css";
import { keyOf, type TrayEntry, takeFromTray, useTray } from "./tray-store.ts";
import { type TraySummary, traySummary } from "./tray-summary.ts";

const POLL_MS = 2_000;

/** The actions requested in this browser, with their progress, at the bottom of every page until dismissed. It covers nothing. */
export function ActionTray({ cluster }: { readonly cluster: string }) {
  const entries = useTray(cluster);
  if (entries.length === 0) return null;
  return (
    <section className={styles.tray} aria-label={t`Your actions`}>
      {entries.map((entry) => (
        <TrayItem key={keyOf(entry)} cluster={cluster} entry={entry} />
      ))}
    </section>
  );
}

function TrayItem({ cluster, entry }: { readonly cluster: string; readonly entry: TrayEntry }) {
  const { intents, error } = useEntry(cluster, entry);
  const summary = traySummary(intents, entry.length);
  const [first] = intents;
  const [id = ""] = entry;
  const isOne = entry.length === 1;
  return (
    <article className={styles.item} data-folded={summary?.isSettled ?? false}>
      <p role="status" className={styles.state}>
        {summary === undefined ? (
          <span className={`narrows clip ellipsis nowrap second ${styles.result}`}>
            {error === undefined ? t`Loading…` : problemOf(error).sentence}
          </span>
        ) : (
          <Progress summary={summary} />
        )}
      </p>
      <Link
        href={isOne ? addresses.action(cluster, id) : addressOfMany(cluster, first)}
        className={`narrows clip ellipsis nowrap strong ${styles.title}`}
      >
        {titleOf(entry, first)}
      </Link>
      <span className={`buttons centred ${styles.buttons}`}>
        {isOne && first !== undefined ? <CancelButton intent={first} appearance="quiet" /> : null}
        <button
          type="button"
          className={styles.close}
          aria-label={
            isOne && first !== undefined
              ? t`Dismiss ${objectName(first.object)}`
              : t`Dismiss these actions`
          }
          onClick={() => takeFromTray(cluster, entry)}
        >
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="1.6" />
          </svg>
        </button>
      </span>
      <div className={styles.loops}>
        <LoopLines cluster={cluster} intent={isOne ? first : undefined} />
      </div>
    </article>
  );
}

/** Returns the page of the batch, or that of all actions if there is none. */
function addressOfMany(cluster: string, first: Intent | undefined): string {
  return first?.batch === undefined
    ? addresses.actions(cluster)
    : addresses.batch(cluster, first.batch);
}

function titleOf(entry: TrayEntry, first: Intent | undefined): string {
  if (first === undefined) return t`Action`;
  return entry.length === 1 ? actionTitle(first) : titleOfMany(first, entry.length);
}

function Progress({ summary: { state, text } }: { readonly summary: TraySummary }) {
  return (
    <>
      <StatusChip status={INTENT_PRESENTATION[state]} />
      <span className={`narrows clip ellipsis nowrap second ${styles.result}`} title={text}>
        {keepUnits(text)}
      </span>
    </>
  );
}

/** Reads a batch in one query, once its first action is known; anything else by id. */
function useEntry(cluster: string, entry: TrayEntry) {
  const api = useApi();
  const [first = "", ...others] = entry;
  const head = useQuery(
    api.intents.byId.queryOptions(...askFor({ cluster, id: first, pollMs: POLL_MS })),
  );
  const isBatch = others.length > 0 && head.data?.batch !== undefined;
  const batch = useBatch({
    cluster,
    batch: isBatch ? (head.data?.batch ?? "") : "",
    pollMs: POLL_MS,
  });
  const rest = useQueries({
    queries: (isBatch || head.data === undefined ? [] : others).map((id) =>
      api.intents.byId.queryOptions(...askFor({ cluster, id, pollMs: POLL_MS })),
    ),
  });
  const known = (batch.data?.rows ?? []).filter(isReadable).filter(({ id }) => entry.includes(id));
  const read = [head, ...rest].flatMap(({ data }) =>
    data !== undefined && isReadable(data) ? [data] : [],
  );
  return {
    intents: known.length > 0 ? known : read,
    error: [head, batch, ...rest].find(({ error }) => error !== null)?.error ?? undefined,
  };
}
