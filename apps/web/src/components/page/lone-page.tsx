import type { ReactNode } from "react";
import { Brand } from "./brand.tsx";
import styles from "./lone-page.module.css";

/** A page without the frame, for a single message. */
export function LonePage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <main className={styles.page}>
      <section className={`grid gap-4 on-surface ${styles.card}`} aria-labelledby="lone-title">
        <Brand />
        <h1 id="lone-title" className={styles.title}>
          {title}
        </h1>
        {children}
      </section>
    </main>
  );
}
