"use client";
import { type KeyboardEvent, type KeyboardEventHandler, useEffect, useRef } from "react";
import { mixed } from "../language/mixed-text.ts";
import styles from "./json-record.module.css";
import type { JsonMatches, JsonRow } from "./json-rows.ts";

/** The current value, and whether it receives the focus as well. */
export interface JsonPlace {
  readonly path: string;
  readonly isFocused: boolean;
}

interface JsonTreeProps {
  readonly label: string;
  readonly rows: readonly JsonRow[];
  readonly place: JsonPlace;
  readonly matches: JsonMatches;
  readonly onPlace: (place: JsonPlace) => void;
  readonly onFold: (path: string, isOpen: boolean) => void;
  readonly onKeyDown: KeyboardEventHandler;
}

/** The lines of a record as one Tab stop, navigated with the arrow keys. */
export function JsonTree({
  label,
  rows,
  place,
  matches,
  onPlace,
  onFold,
  onKeyDown,
}: JsonTreeProps) {
  const tree = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const item = tree.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (place.isFocused) item?.focus();
    else if (place.path !== ".") item?.scrollIntoView({ block: "nearest" });
  }, [place]);
  const values = rows.filter(({ hidden }) => hidden === 0);
  const at = values.find(({ path }) => path === place.path) ?? values[0];
  const onTreeKey = (event: KeyboardEvent) => {
    onKeyDown(event);
    const act = at === undefined ? undefined : keyAct(event.key, at, values);
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (act.kind === "fold") onFold(act.path, act.isOpen);
    else onPlace({ path: act.path, isFocused: true });
  };
  const found = new Set(matches.paths);
  return (
    <div ref={tree} role="tree" aria-label={label} className={styles.tree} onKeyDown={onTreeKey}>
      {rows.map((row) =>
        row.hidden > 0 ? (
          <div key={row.path} className={styles.rest} style={indentOf(row)}>
            {mixed`… ${row.hidden} more, included in the copy`}
          </div>
        ) : (
          <JsonItem
            key={row.path}
            row={row}
            isCurrent={row === at}
            isFound={found.has(row.path)}
            onPress={() => {
              onPlace({ path: row.path, isFocused: true });
              if (canFold(row)) onFold(row.path, !row.isOpen);
            }}
          />
        ),
      )}
    </div>
  );
}

function JsonItem({
  row,
  isCurrent,
  isFound,
  onPress,
}: {
  readonly row: JsonRow;
  readonly isCurrent: boolean;
  readonly isFound: boolean;
  readonly onPress: () => void;
}) {
  const { name, value, level, isOpen } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its items.
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={canFold(row) ? isOpen : undefined}
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      data-found={isFound}
      className={styles.item}
      style={indentOf(row)}
      onClick={() => {
        // A user who is selecting text does not mean to press the row.
        if (window.getSelection()?.isCollapsed !== false) onPress();
      }}
    >
      {canFold(row) ? (
        <span aria-hidden="true" className={styles.fold}>
          {isOpen ? "▾" : "▸"}
        </span>
      ) : null}
      <span className={styles.text}>
        {name === undefined ? null : <span className="second">{name}: </span>}
        {row.members === undefined ? (
          <span className={styles[typeof value] ?? "quiet"}>{JSON.stringify(value)}</span>
        ) : (
          <Brackets row={row} />
        )}
      </span>
    </div>
  );
}

function Brackets({ row: { value, members = 0 } }: { readonly row: JsonRow }) {
  const brackets = Array.isArray(value) ? "[]" : "{}";
  if (members === 0) return brackets;
  return (
    <>
      {brackets[0]} <span className="quiet">{members}</span> {brackets[1]}
    </>
  );
}

function indentOf({ level }: JsonRow) {
  return { paddingInlineStart: `${(level - 1) * 1.25 + 0.9}rem` };
}

function canFold({ members = 0 }: JsonRow): boolean {
  return members > 0;
}

type KeyAct =
  | { readonly kind: "go"; readonly path: string }
  | { readonly kind: "fold"; readonly path: string; readonly isOpen: boolean };

interface Keyed {
  readonly at: JsonRow;
  readonly index: number;
  readonly values: readonly JsonRow[];
}

/** What each key does on a value, following the usual tree pattern. */
const KEYS: Readonly<Record<string, (keyed: Keyed) => KeyAct | undefined>> = {
  ArrowDown: ({ index, values }) => goTo(values[index + 1]?.path),
  ArrowUp: ({ index, values }) => goTo(values[index - 1]?.path),
  Home: ({ values }) => goTo(values[0]?.path),
  End: ({ values }) => goTo(values.at(-1)?.path),
  ArrowRight: ({ at, index, values }) =>
    at.isOpen ? goTo(values[index + 1]?.path) : fold(at, true),
  ArrowLeft: ({ at }) => (at.isOpen ? fold(at, false) : goTo(at.parent)),
  Enter: ({ at }) => fold(at, !at.isOpen),
  " ": ({ at }) => fold(at, !at.isOpen),
};

function keyAct(key: string, at: JsonRow, values: readonly JsonRow[]): KeyAct | undefined {
  return KEYS[key]?.({ at, values, index: values.indexOf(at) });
}

function goTo(path: string | undefined): KeyAct | undefined {
  return path === undefined ? undefined : { kind: "go", path };
}

function fold(row: JsonRow, isOpen: boolean): KeyAct | undefined {
  return canFold(row) ? { kind: "fold", path: row.path, isOpen } : undefined;
}
