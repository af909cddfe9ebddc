import type { AuditRow } from "@cloudwright/store/views/views";
import { listPrinters, objectText, type TableColumn } from "../terminal/print.ts";

const COLUMNS: readonly TableColumn<AuditRow>[] = [
  { title: "NUMBER", width: 7, text: ({ seq }) => String(seq) },
  { title: "AT", width: 24, text: ({ at }) => new Date(at).toISOString() },
  { title: "ACTOR", width: 31, text: ({ actor }) => actor.name },
  { title: "ACTION", width: 22, text: ({ action }) => action },
  {
    title: "OBJECT",
    width: 32,
    text: ({ object }) => (object === undefined ? "" : objectText(object)),
  },
  { title: "RESULT", width: 7, text: ({ result }) => result },
  { title: "FROM", width: 15, text: ({ client }) => client?.address ?? "" },
  { title: "HASH", width: 8, text: ({ hash }) => hash.slice(0, 8) },
  { title: "WHY", width: 0, text: ({ why }) => why.replaceAll(/\s+/g, " ") },
];

const CSV_HEAD =
  "number,at,actor_kind,actor_id,actor_name,action,kind,namespace,name,uid,result,why,address,agent,run_id,intent_id,before,after,hash,id,login,proof";

export const ENTRY_PRINTERS = listPrinters(COLUMNS, { head: CSV_HEAD, fields: csvFields });

function csvFields({ actor, object, client, evidence, ...entry }: AuditRow) {
  return [
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
  ];
}
