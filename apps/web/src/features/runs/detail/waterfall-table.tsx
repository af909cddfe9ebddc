"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import { ScrollBox } from "../../../components/scroll-edges/scroll-box.tsx";
import styles from "./waterfall.module.css";
import type { Bar } from "./waterfall.ts";

/** The twin of the bars for those who cannot use a drawing: the same rows with their figures. */
export function WaterfallTable({ bars }: { readonly bars: readonly Bar[] }) {
  return (
    <ScrollBox className={styles.tableScroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">Phases and calls of this run</caption>
        <thead>
          <tr>
            {["What", "Target", "System", "Began", "Took", "Status", "Attempt", "Note"].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.id} data-level={bar.level}>
              <th scope="row">{bar.label}</th>
              <td>{bar.target ?? ""}</td>
              <td>{bar.level === 1 ? bar.kind : ""}</td>
              <td>{signedDuration(bar.from)}</td>
              <td>{formatDuration(Math.max(0, bar.to - bar.from))}</td>
              <td>{bar.step?.status ?? ""}</td>
              <td>{bar.step?.attempt ?? ""}</td>
              <td>{noteOf(bar)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function signedDuration(ms: number): string {
  return ms < 0 ? `${formatDuration(-ms)} before` : `+${formatDuration(ms)}`;
}

function noteOf(bar: Bar): string {
  const notes = [
    bar.failed ? (bar.step?.error ?? "failed") : "",
    bar.critical ? "critical path" : "",
    (bar.step?.sharedBy ?? 1) > 1 ? `shared by ${bar.step?.sharedBy} lookups` : "",
  ];
  return notes.filter((note) => note !== "").join("; ");
}
