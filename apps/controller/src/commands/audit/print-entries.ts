import { csvLine } from "@cloudwright/store/text/csv";
import type { AuditRow } from "@cloudwright/store/views/views";
import type { Output, Printer } from "../terminal/print.ts";

interface Column {
  readonly title: string;
  readonly width: number;
  readonly text: (entry: AuditRow) => string;
}

const COLUMNS: readonly Column[] = [
  { title: "NUMBER", width: 7, text: ({ seq }) => String(seq) },
  { title: "AT", width: 24, text: ({ at }) => new Date(at).toISOString() },
  { title: "ACTOR", width: 31, text: ({ actor }) => actor.name },
  { title: "ACTION", width: 22, text: ({ action }) => action },
  { title: "OBJECT", width: 32, text: objectText },
  { title: "RESULT", width: 7, text: ({ result }) => result },
  { title: "FROM", width: 15, text: ({ client }) => client?.address ?? "" },
  { title: "HASH", width: 8, text: ({ hash }) => hash.slice(0, 8) },
  { title: "WHY", width: 0, text: ({ why }) => why.replaceAll(/\s+/g, " ") },
];

const CSV_HEAD =
  "number,at,actor_kind,actor_id,actor_name,action,kind,namespace,name,uid,result,why,address,agent,run_id,intent_id,before,after,hash,id,login,proof";

/** How each output format is written: an entry a line in each of them. */
export const ENTRY_PRINTERS: Record<Output, Printer<AuditRow>> = {
  table: {
    head: `${tableLine((column) => column.title)}\n`,
    line: (entry) => tableLine((column) => column.text(entry)),
    between: "\n",
    tail: "\n",
  },
  json: { head: "[\n", line: (entry) => JSON.stringify(entry), between: ",\n", tail: "\n]\n" },
  csv: { head: `${CSV_HEAD}\r\n`, line: csvEntry, between: "\r\n", tail: "\r\n" },
};

function tableLine(text: (column: Column) => string): string {
  return COLUMNS.map((column) => text(column).padEnd(column.width))
    .join("  ")
    .trimEnd();
}

function csvEntry({ actor, object, client, evidence, ...entry }: AuditRow): string {
  return csvLine([
    entry.seq,
    new Date(entry.at).toISOString(),
    actor.kind,
    actor.id,
    actor.name,
    entry.action,
    object?.kind,
    object?.namespace,
    object?.name,
    object?.uid,
    entry.result,
    entry.why,
    client?.address,
    client?.agent,
    entry.runId,
    entry.intentId,
    JSON.stringify(entry.before),
    JSON.stringify(entry.after),
    entry.hash,
    entry.id,
    evidence?.login,
    evidence?.proof,
  ]);
}

function objectText({ object }: AuditRow): string {
  if (object === undefined) return "";
  const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
  return `${object.kind} ${name}`;
}
