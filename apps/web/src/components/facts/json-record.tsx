"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type KeyboardEvent, useMemo, useState } from "react";
import { CopyButton } from "../button/copy-button.tsx";
import { useCopy } from "../button/use-copy.ts";
import styles from "./json-record.module.css";
import { jsonMatches, jsonRows } from "./json-rows.ts";
import { JsonMatchSteps, JsonSearch } from "./json-search.tsx";
import { type JsonPlace, JsonTree } from "./json-tree.tsx";

const WHOLE: JsonPlace = { path: ".", isFocused: false };
const UNTOUCHED: ReadonlyMap<string, boolean> = new Map();

/** A record from the ledger: foldable, searchable, with a button that copies all of it and the jq path of each value. */
export function JsonRecord({ value, label }: { readonly value: unknown; readonly label: string }) {
  const [text, setText] = useState("");
  const [folds, setFolds] = useState(UNTOUCHED);
  const [place, setPlace] = useState(WHOLE);
  const path = useCopy();
  const matches = useMemo(() => jsonMatches(value, text), [value, text]);
  const rows = useMemo(() => jsonRows(value, { folds, matches }), [value, folds, matches]);
  const at = rows.some(({ path: shown }) => shown === place.path) ? place : WHOLE;
  const find = (wanted: string) => {
    const [first] = jsonMatches(value, wanted).paths;
    setText(wanted);
    setFolds(UNTOUCHED);
    if (first !== undefined) setPlace({ path: first, isFocused: false });
  };
  const step = (by: 1 | -1) => {
    const next = stepped(matches.paths, place.path, by);
    if (next === undefined) return;
    // The match may lie in something that has been folded since.
    setFolds(UNTOUCHED);
    setPlace({ path: next, isFocused: false });
  };
  const goTo = (to: JsonPlace) => {
    path.forget();
    setPlace(to);
  };
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <span>{label}</span>
        <CopyButton text={JSON.stringify(value, null, 2)} label={t`Copy ${label} as JSON`} />
        <span className="push" />
        <JsonSearch label={label} text={text} onText={find} onStep={step} />
        <JsonMatchSteps
          text={text}
          place={matches.paths.indexOf(at.path)}
          count={matches.paths.length}
          onStep={step}
        />
      </div>
      <JsonTree
        {...{ label, rows, matches }}
        place={at}
        onPlace={goTo}
        onFold={(folded, isOpen) => setFolds((now) => new Map(now).set(folded, isOpen))}
        onKeyDown={(event) => {
          if (!isCopyKey(event)) return;
          event.preventDefault();
          path.copy(at.path);
        }}
      />
      <PathLine path={at.path} outcome={path.outcome} />
    </div>
  );
}

/** Returns the next or previous match, wrapping around; from a place that is no match, the first or the last. */
function stepped(paths: readonly string[], from: string, by: 1 | -1): string | undefined {
  const at = paths.indexOf(from);
  if (at < 0) return paths.at(by === 1 ? 0 : -1);
  return paths.at((at + by) % paths.length);
}

/** This is not a page shortcut: it acts only on the focused value. */
function isCopyKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key === "c" && !ctrlKey && !metaKey && !altKey;
}

/** The path of the current value with a button to copy it; announces what the shortcut has copied. */
function PathLine({
  path,
  outcome,
}: {
  readonly path: string;
  readonly outcome: "copied" | "refused" | undefined;
}) {
  return (
    <div className={styles.path}>
      <code className="clip ellipsis nowrap" title={path}>
        {path}
      </code>
      <CopyButton text={path} label={t`Copy the path ${path} (key c in the tree)`} />
      <span role="status" className="quiet">
        {outcome === "copied" ? t`Copied the path ${path}` : ""}
        {outcome === "refused" ? t`The browser does not allow copying here` : ""}
      </span>
    </div>
  );
}
