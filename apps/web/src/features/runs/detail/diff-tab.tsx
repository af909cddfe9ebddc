"use client";
import { diffRows } from "@cloudwright/core/model/diff-rows";
import type { Json } from "@cloudwright/core/model/json";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { RunDetail } from "@cloudwright/store/views";
import page from "../../../components/page.module.css";
import { EmptyState } from "../../../components/panel-states.tsx";
import { ScrollBox } from "../../../components/scroll-edges/scroll-box.tsx";
import { keyedChanges } from "../../../components/keyed-changes.ts";
import styles from "./run-page.module.css";

/** Before and after of each change, side by side. */
export function DiffTab({ run }: { readonly run: RunDetail }) {
  if (run.changes.length === 0) {
    return (
      <div className={page.card}>
        <EmptyState title="Nothing was changed">This run planned no write.</EmptyState>
      </div>
    );
  }
  return keyedChanges(run.changes).map(({ key, change }) => (
    <section key={key} className={page.card}>
      <h2 className={styles.heading}>
        {change.kind} <span className={styles.quiet}>{objectName(change.target)}</span>
      </h2>
      <DiffTable what={change.kind} before={change.before} after={change.after} />
    </section>
  ));
}

export function DiffTable({
  what,
  before,
  after,
}: {
  readonly what: string;
  readonly before: Json;
  readonly after: Json;
}) {
  return (
    <ScrollBox className={styles.diffScroller}>
      <table className={styles.diff}>
        <caption className="visually-hidden">Before and after {what}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {diffRows(before, after).map((row) => (
            <tr key={row.path}>
              <th scope="row">{row.path}</th>
              <Side sign="−" value={row.before} />
              <Side sign="+" value={row.after} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Side({ sign, value }: { readonly sign: "−" | "+"; readonly value: string | undefined }) {
  if (value === undefined || value === "") return <td className={styles.nothing}>nothing</td>;
  return (
    <td data-sign={sign}>
      <code>{value}</code>
    </td>
  );
}
