import { type ReactNode, useId } from "react";
import page from "./page.module.css";
import styles from "./panel.module.css";

/** A section of the page with its heading. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  /** Content beside the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`${page.card} grid narrows gap-3 pad-4 from-top`} aria-labelledby={id}>
      <header className={`flex centred wrap ${styles.panelHead}`}>
        <h2 id={id} className={styles.panelTitle}>
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
