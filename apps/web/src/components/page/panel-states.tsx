"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { Button } from "../button/button.tsx";
import { mixed } from "../language/mixed-text.ts";
import { isNotFound, problemOf } from "../problem.ts";
import page from "./page.module.css";
import styles from "./panel-states.module.css";

/** An empty list: says why it is empty and what would fill it. */
export function EmptyState({
  title,
  isPage = false,
  isCard = false,
  children,
}: {
  readonly title: string;
  /** It replaces a whole page, so its title is the page's heading. */
  readonly isPage?: boolean;
  /** Draws a card of its own, because nothing around it does. */
  readonly isCard?: boolean;
  readonly children?: ReactNode;
}) {
  const Title = isPage ? "h1" : "p";
  const state = (
    <div className={styles.panel} role="status">
      <svg width="40" height="40" viewBox="0 0 40 40" aria-hidden="true" className={styles.mark}>
        <rect x="5" y="8" width="30" height="24" rx="3" />
        <path d="M5 15h30M11 21h10M11 26h6" />
      </svg>
      <Title className="lead bold">{title}</Title>
      {children === undefined ? null : (
        <div className={styles.text} data-running-text="">
          {children}
        </div>
      )}
    </div>
  );
  return isCard ? <div className={page.card}>{state}</div> : state;
}

/**
 * Replaces one panel that failed: the sentence, its code and request id, and a way to try again; the rest of the page stays. The
 * surrounding element provides the padding.
 */
export function ErrorState({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) {
  const problem = problemOf(error);
  return (
    <div className={styles.error} role="alert">
      <p className="lead bold">{problem.sentence}</p>
      <p className="flex wrap gap-3 small mono second">
        <span>{problem.code}</span>
        {problem.requestId === undefined ? null : (
          <span>{mixed`request ${problem.requestId}`}</span>
        )}
      </p>
      <p className={styles.text}>{problem.advice}</p>
      {retry === undefined ? null : <Button onClick={retry}>{t`Try again`}</Button>}
    </div>
  );
}

/** The same on one line, above a list that explains in full if it could not be read either. */
export function FailedLine({
  sentence,
  error,
  retry,
}: {
  /** What could not be read. */
  readonly sentence: string;
  readonly error: unknown;
  readonly retry: () => void;
}) {
  const { requestId } = problemOf(error);
  return (
    <div className="row second" role="alert">
      <p>{sentence}</p>
      {requestId === undefined ? null : (
        <span className="small mono">{mixed`request ${requestId}`}</span>
      )}
      <Button onClick={retry}>{t`Try again`}</Button>
    </div>
  );
}

/** A query without data: it has not answered yet, or it failed. */
export interface PendingQuery {
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Stands in for data that a query has not delivered: the outline while loading, or why it failed. */
export function Pending({
  query: { isError, error, refetch },
  lines,
  isCard = false,
}: {
  readonly query: PendingQuery;
  readonly lines?: number;
  /** There is no card around it, so the outline gets one. */
  readonly isCard?: boolean;
}) {
  // Trying again would find nothing more, and the list to look in may be right beside it.
  if (isError && isNotFound(error)) {
    return <EmptyState isCard={isCard} title={problemOf(error).sentence} />;
  }
  if (isError) return <ErrorState error={error} retry={() => void refetch()} />;
  const outline = <Skeleton {...(lines === undefined ? {} : { lines })} />;
  return isCard ? <div className={page.card}>{outline}</div> : outline;
}

/** The same for a whole page; `notFound` is its sentence for an object that does not exist. */
export function PendingPage({
  title,
  query: { isError, error, refetch },
  notFound,
}: {
  readonly title: string;
  readonly query: PendingQuery;
  readonly notFound?: ReactNode;
}) {
  return (
    <div className={page.scrolling}>
      {!isError ? (
        <PageSkeleton />
      ) : notFound !== undefined && isNotFound(error) ? (
        notFound
      ) : (
        <FailedPage title={title} error={error} retry={() => void refetch()} />
      )}
    </div>
  );
}

/** Replaces a whole page that could not be read: its title and the reason. */
export function FailedPage({
  title,
  error,
  retry,
  children,
}: {
  readonly title: string;
  readonly error: unknown;
  readonly retry: () => void;
  /** What is missing, if the title does not say it. */
  readonly children?: ReactNode;
}) {
  return (
    <>
      <h1 className={page.title}>{title}</h1>
      {children}
      <ErrorState error={error} retry={retry} />
    </>
  );
}

/**
 * Placeholder lines in the layout of what is loading; visible only after 200 ms. The style sheet does the timing, so that it also works
 * before the page's scripts have arrived.
 */
export function Skeleton({ lines = 8 }: { readonly lines?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={t`Loading`}>
      {bones(lines)}
    </div>
  );
}

/** The outline of a page about one object: its name and state, the sentence, facts, tabs and a panel. */
function PageSkeleton() {
  return (
    <div className={styles.pageSkeleton} role="status" aria-label={t`Loading`}>
      <span className={styles.bone} data-part="title" />
      <span className={styles.bone} data-part="sentence" />
      <span className={styles.bone} data-part="facts" />
      <span className={styles.bone} data-part="tabs" />
      <div className={styles.bonePanel}>{bones(5)}</div>
    </div>
  );
}

function bones(lines: number): readonly ReactNode[] {
  return Array.from({ length: lines }, (_, line) => `line-${line}`).map((line) => (
    <span key={line} className={styles.bone} />
  ));
}
