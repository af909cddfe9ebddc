"use client";
import type { GuardStatus } from "@cloudwright/core/model/controls";
import { useId } from "react";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { SinceText } from "../../components/time/time-text.tsx";
import { countOf } from "../wording/action-title.ts";
import styles from "./action-dialog.module.css";

/** The nodes that would be deleted, each with what the cloud answered. These and no others are released. */
export function HeldNodes({ nodes }: { readonly nodes: GuardStatus["held"] }) {
  const id = useId();
  return (
    <section className={styles.list} aria-labelledby={id}>
      <h3 id={id} className={styles.label}>
        {countOf(nodes.length, "node")} with what the cloud says
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
      <ul tabIndex={0} aria-labelledby={id}>
        {nodes.map(({ name, uid, since, because }) => (
          <li key={uid}>
            <strong>{name}</strong>{" "}
            <span className={styles.quiet}>
              held for <SinceText at={since} />
            </span>
            <span className={styles.because}>{keepUnits(because)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
