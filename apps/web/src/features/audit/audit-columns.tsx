"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import type { MouseEvent } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { RowStatus } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, timeColumn } from "../../components/table/columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { agentText } from "../../platform/wording/agent-text.ts";
import { actorName, resultPresentation } from "../../platform/wording/audit-messages.ts";
import { WhyText } from "../../platform/wording/why-text.tsx";
import styles from "./audit.module.css";
import { actorKind, entryTitle } from "./audit-verbs.ts";

interface ColumnsInput {
  readonly cluster: string;
  /** Returns the address of the view with this entry beside the list. */
  readonly peekHref: (seq: number) => string;
  readonly onPeek: (seq: number) => void;
}

/** The columns of the Audit page (UX brief, section 9). */
export function auditColumns(input: ColumnsInput): readonly Column<AuditRow>[] {
  return [
    timeColumn(["time", t`Time`, 112, { narrow: "second" }], ({ at }) => at),
    column(["actor", t`Who`, 148, { narrow: "first" }], (row) => <Actor row={row} />),
    column(["action", t`Action`, 196, { pinned: true, narrow: "line" }], (row) => (
      <ActionLink row={row} input={input} />
    )),
    column(["object", t`Object`, 136], ({ object }) => <AuditObject object={object} />),
    column(["why", t`Reason`, 240, { grows: true, folds: true, narrow: "line" }], (entry) => (
      <WhyText entry={entry} />
    )),
    column(["result", t`Result`, 104], ({ result }) => (
      <RowStatus status={resultPresentation(result)} />
    )),
    ...originColumns(input.cluster),
  ];
}

function originColumns(cluster: string): readonly Column<AuditRow>[] {
  return [
    column(["from", t`From`, 108], ({ client }) =>
      client === undefined ? (
        <span className="quiet">–</span>
      ) : (
        <span title={`${client.address}, ${agentText(client.agent)}`}>{client.address}</span>
      ),
    ),
    column(["run", t`Run`, 64], ({ runId, seq }) =>
      runId === undefined ? (
        <span className="quiet">–</span>
      ) : (
        <Link href={addresses.run(cluster, runId)} prefetch={false} tabIndex={-1}>
          {mixed`Run${<span className="visually-hidden">{mixed` of entry ${seq}`}</span>}`}
        </Link>
      ),
    ),
    column(["entry", t`Entry`, 138, { align: "end" }], ({ seq, hash }) => (
      <span className={styles.entry} title={hash}>
        #{seq} <span className="quiet">{hash.slice(0, 8)}…</span>
      </span>
    )),
  ];
}

function Actor({ row: { actor } }: { readonly row: AuditRow }) {
  return (
    <span
      className={actor.kind === "person" ? "strong" : undefined}
      title={t`${actor.name} (${actorKind(actor.kind)})`}
    >
      {actorName(actor)}
    </span>
  );
}

/** A real address that can be copied and opened elsewhere; a plain click does not request the page from the server. */
function ActionLink({ row, input }: { readonly row: AuditRow; readonly input: ColumnsInput }) {
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    input.onPeek(row.seq);
  };
  const { verb, step, isPreview } = entryTitle(row);
  return (
    <a href={input.peekHref(row.seq)} className="strong" title={row.action} onClick={onClick}>
      {isPreview ? t`Preview: ${verb}` : verb}
      {step === undefined ? null : <span className="quiet light"> {step}</span>}
    </a>
  );
}

export function AuditObject({ object }: Pick<AuditRow, "object">) {
  if (object === undefined) return <span className="quiet">–</span>;
  return <ObjectLink object={object} tabIndex={-1} />;
}
