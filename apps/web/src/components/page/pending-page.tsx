"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { isNotFound } from "../problem.ts";
import page from "./page.module.css";
import styles from "./panel-states.module.css";
import { bones, ErrorState } from "./panel-states.tsx";
import { type Failure, type PendingQuery, useFailure } from "./use-failure.ts";

/**
 * Stands in for a whole page that a query has not delivered: the outline while loading, or why it failed. `notFound` is its sentence for an
 * object that does not exist.
 */
export function PendingPage({
  title,
  query,
  notFound,
}: {
  readonly title: string;
  readonly query: PendingQuery;
  readonly notFound?: ReactNode;
}) {
  const failure = useFailure(query);
  return (
    <div className={page.scrolling}>
      {failure === undefined ? (
        <PageSkeleton />
      ) : notFound !== undefined && isNotFound(failure.error) ? (
        notFound
      ) : (
        <FailedPage title={title} {...failure} />
      )}
    </div>
  );
}

/** Replaces a whole page that could not be read: its title and the reason. */
export function FailedPage({
  title,
  children,
  ...failure
}: Failure & {
  readonly title: string;
  /** What is missing, if the title does not say it. */
  readonly children?: ReactNode;
}) {
  return (
    <>
      <h1 className={page.title}>{title}</h1>
      {children}
      <ErrorState {...failure} />
    </>
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
