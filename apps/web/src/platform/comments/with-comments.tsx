"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import styles from "./with-comments.module.css";

/** The name of a list row with the number of its comments; without comments, just the name. */
export function WithComments({
  count = 0,
  children,
}: {
  readonly count: number | undefined;
  readonly children: ReactNode;
}) {
  if (count === 0) return children;
  return (
    <span className={styles.pair}>
      <span className="narrows clip ellipsis">{children}</span>
      <CommentCount count={count} />
    </span>
  );
}

function CommentCount({ count }: { readonly count: number }) {
  const label = count === 1 ? t`1 comment` : t`${count} comments`;
  return (
    <span role="img" aria-label={label} title={label} className={`figures small ${styles.count}`}>
      <svg width="12" height="12" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d="M2 2h12v9H7.5L4 14v-3H2Z" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      {count}
    </span>
  );
}
