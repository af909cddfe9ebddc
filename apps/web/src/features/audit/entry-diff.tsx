"use client";
import { diffRows } from "@cloudwright/core/model/diff-rows";
import type { Json } from "@cloudwright/core/model/json";
import { usePreferences } from "../../components/preferences.ts";
import styles from "./audit.module.css";
import { pathText, valueText } from "./value-text.ts";

/** Before and after, one under the other: there is no room for them side by side. */
export function EntryDiff({ before, after }: { readonly before: Json; readonly after: Json }) {
  const { zone } = usePreferences();
  const text = (path: string, value: string | undefined) =>
    value === undefined ? undefined : valueText(path, value, zone);
  return (
    <dl className={styles.diff}>
      {diffRows(before, after).map((row) => (
        <div key={row.path}>
          <dt>{pathText(row.path)}</dt>
          <Side sign="−" word="before" value={text(row.path, row.before)} />
          <Side sign="+" word="after" value={text(row.path, row.after)} />
        </div>
      ))}
    </dl>
  );
}

function Side({
  sign,
  word,
  value,
}: {
  readonly sign: "−" | "+";
  readonly word: string;
  readonly value: string | undefined;
}) {
  if (value === undefined || value === "") return null;
  return (
    <dd data-sign={sign}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{word} </span>
      <code>{value}</code>
    </dd>
  );
}
