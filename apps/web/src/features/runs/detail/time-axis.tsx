"use client";
import { axisTicks, tickText } from "./axis-ticks.ts";
import styles from "./time-axis.module.css";
import type { Waterfall } from "./waterfall.ts";

/** What the columns are, and at which time of the run each place of the drawing is. The table has the same in figures. */
export function TimeAxis({ model }: { readonly model: Waterfall }) {
  return (
    <div className={styles.axis} aria-hidden="true">
      <span>Call and target</span>
      <span className={styles.track}>
        {axisTicks(model).map(({ at, place: left }) => (
          <span key={at} className={styles.tick} style={{ left: `${left * 100}%` }}>
            {tickText(at)}
          </span>
        ))}
      </span>
      <span className={styles.figures}>Took, status</span>
    </div>
  );
}
