"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { mixed } from "../language/mixed-text.ts";
import { Link } from "../link.tsx";
import { Pending } from "../page/panel-states.tsx";
import type { PendingQuery } from "../page/use-failure.ts";
import { useShortcuts } from "../shortcuts.ts";
import styles from "./peek-panel.module.css";

/** A list and, beside it, the details of one row; on a narrow screen a sheet covers the lower part. */
export function PeekLayout({
  peek,
  children,
}: {
  readonly peek: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex fill shrinks">
      <div className={`flex narrows shrinks ${styles.list}`}>{children}</div>
      {peek}
    </div>
  );
}

interface PeekFrame {
  readonly title: string;
  /** The address of the full page; absent where the panel already shows everything. */
  readonly href?: string | undefined;
  readonly onClose: () => void;
}

/** A panel whose content is fetched when it opens. */
export function FetchedPeek<Data>({
  query,
  children,
  ...frame
}: PeekFrame & {
  readonly query: PendingQuery & { readonly data: Data | undefined };
  readonly children: (data: Data) => ReactNode;
}) {
  return (
    <PeekPanel {...frame}>
      {query.data === undefined ? <Pending query={query} lines={6} /> : children(query.data)}
    </PeekPanel>
  );
}

/** The first things that a row's full page says, without leaving the list. Escape closes it. */
export function PeekPanel({
  title,
  href,
  onClose,
  children,
}: PeekFrame & { readonly children: ReactNode }) {
  useShortcuts({ Escape: onClose });
  return (
    <aside
      className={`flex shrinks on-surface ${styles.panel}`}
      aria-label={t`Beside the list: ${title}`}
    >
      <header className={`flex centred rigid gap-3 line-below ${styles.head}`}>
        <h2 className="fill narrows break lead heavy">{title}</h2>
        {href === undefined ? null : (
          <Link href={href} className={styles.open}>
            {t`Open page`}
          </Link>
        )}
        <button
          type="button"
          className={styles.close}
          aria-label={t`Close ${title}`}
          title={t`Close (Esc)`}
          onClick={onClose}
        >
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="1.6" />
          </svg>
        </button>
      </header>
      <p role="status" className="visually-hidden">
        {mixed`Beside the list: ${title}`}
      </p>
      <div className={`flex gap-4 pad-4 scroll ${styles.body}`}>{children}</div>
    </aside>
  );
}
