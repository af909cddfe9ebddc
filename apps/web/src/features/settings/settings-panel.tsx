import { type ReactNode, useId } from "react";
import page from "../../components/page/page.module.css";
import styles from "./settings.module.css";

/** One part of the settings under its heading. */
export function SettingsPanel({
  title,
  aside,
  children,
}: {
  readonly title: ReactNode;
  /** What can be done with it, at the far end of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`${page.card} ${styles.panel}`} aria-labelledby={id}>
      <header className={page.header}>
        <h2 id={id} className={styles.panelTitle}>
          {title}
        </h2>
        {aside === undefined ? null : <span className={page.push} />}
        {aside}
      </header>
      {children}
    </section>
  );
}
