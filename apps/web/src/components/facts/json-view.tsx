"use client";
import { t } from "@cloudwright/core/model/language/text";
import { CopyButton } from "../button/copy-button.tsx";
import { mixed } from "../language/mixed-text.ts";
import styles from "./json-view.module.css";

/** A load balancer may judge thousands of nodes, more than a page can hold as a tree. */
const SHOWN_MEMBERS = 200;

/** A record as the ledger has it: foldable, searchable with the browser's own search, to be copied whole. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <span>{label}</span>
        <CopyButton text={JSON.stringify(value, null, 2)} label={t`Copy ${label} as JSON`} />
      </div>
      <div className={styles.tree}>
        <JsonNode value={value} name={undefined} depth={0} />
      </div>
    </div>
  );
}

function JsonNode({
  value,
  name,
  depth,
}: {
  readonly value: unknown;
  readonly name: string | undefined;
  readonly depth: number;
}) {
  if (typeof value !== "object" || value === null) {
    return (
      <div className={styles.leaf}>
        <Key name={name} />
        <span className={styles[typeof value] ?? "quiet"}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const isList = Array.isArray(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const brackets = isList ? "[]" : "{}";
  if (members.length === 0) {
    return (
      <div className={styles.leaf}>
        <Key name={name} />
        {brackets}
      </div>
    );
  }
  return (
    <details open={depth < 3} className={styles.branch}>
      <summary>
        <Key name={name} />
        {brackets[0]} <span className="quiet">{members.length}</span> {brackets[1]}
      </summary>
      {members.slice(0, SHOWN_MEMBERS).map(([key, member]) => (
        <JsonNode key={key} value={member} name={isList ? undefined : key} depth={depth + 1} />
      ))}
      {members.length > SHOWN_MEMBERS ? (
        <div className={styles.leaf}>
          {mixed`… ${members.length - SHOWN_MEMBERS} more, included in the copy`}
        </div>
      ) : null}
    </details>
  );
}

function Key({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <span className="second">{name}: </span>;
}
