"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { Button } from "../button/button.tsx";
import { mixed } from "../language/mixed-text.ts";
import { isNotFound, problemOf } from "../problem.ts";
import page from "./page.module.css";
import styles from "./panel-states.module.css";
import { type Failure, type PendingQuery, useFailure } from "./use-failure.ts";

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
export function ErrorState(failure: Failure) {
  const problem = problemOf(failure.error);
  return (
    <div className={styles.error} role="alert" aria-atomic={false}>
      <p className="lead bold">{problem.sentence}</p>
      <p className="flex wrap gap-3 small mono second">
        <span>{problem.code}</span>
        {problem.requestId === undefined ? null : (
          <span>{mixed`request ${problem.requestId}`}</span>
        )}
      </p>
      <p className={styles.text}>{problem.advice}</p>
      <TryAgain {...failure} />
    </div>
  );
}

/** The same on one line, above a list that explains in full if it could not be read either. */
export function FailedLine({
  sentence,
  ...failure
}: Failure & {
  /** What could not be read. */
  readonly sentence: string;
}) {
  const { requestId } = problemOf(failure.error);
  return (
    <div className="row second" role="alert" aria-atomic={false}>
      <p>{sentence}</p>
      {requestId === undefined ? null : (
        <span className="small mono">{mixed`request ${requestId}`}</span>
      )}
      <TryAgain {...failure} />
    </div>
  );
}

function TryAgain({ retry, isAskedAgain = false }: Failure) {
  if (retry === undefined) return null;
  return (
    <span className="row">
      <Button onClick={retry}>{t`Try again`}</Button>
      {isAskedAgain ? <span className={styles.askedAgain}>{t`Loading…`}</span> : null}
    </span>
  );
}

/** Stands in for data that a query has not delivered: the outline while loading, or why it failed. */
export function Pending({
  query,
  lines,
  isCard = false,
}: {
  readonly query: PendingQuery;
  readonly lines?: number;
  /** There is no card around it, so the outline gets one. */
  readonly isCard?: boolean;
}) {
  const failure = useFailure(query);
  if (failure === undefined) {
    const outline = <Skeleton {...(lines === undefined ? {} : { lines })} />;
    return isCard ? <div className={page.card}>{outline}</div> : outline;
  }
  // Trying again would find nothing more, and the list to look in may be right beside it.
  if (isNotFound(failure.error)) {
    return <EmptyState isCard={isCard} title={problemOf(failure.error).sentence} />;
  }
  return <ErrorState {...failure} />;
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

/** The lines of an outline. */
export function bones(lines: number): readonly ReactNode[] {
  return Array.from({ length: lines }, (_, line) => `line-${line}`).map((line) => (
    <span key={line} className={styles.bone} />
  ));
}
