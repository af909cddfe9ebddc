import { type ReactNode, useId } from "react";
import page from "./page.module.css";
import styles from "./panel.module.css";

/** One part of the page with its heading. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  /** Stands beside the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`${page.card} ${styles.panel}`} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id} className={styles.panelTitle}>
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
