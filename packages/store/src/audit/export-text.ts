import type { JsonObject } from "@cloudwright/core/model/values/json";
import { type ExportFormat, type FileWriter, isoTime } from "../exports/file-pieces.ts";
import type { AuditFilter } from "../sql/audit-entries.ts";
import { columnName } from "../sql/stored-json.ts";
import { CSV_LINE_END, type CsvValue, csvLine } from "../text/csv.ts";
import type { ChainHead } from "../views/chains.ts";
import type { ChainedEntry } from "./entry-text.ts";

/** Version 1 had no format, login, proof or session. */
export const EXPORT_VERSION = 2;
export const EXPORT_KIND = "cloudwright-audit-export";

/** The head of an export: what it holds and when it was made. */
export interface ExportHead {
  /** A cluster's id, or `accounts`. */
  readonly chain: string;
  readonly exportedAt: number;
  readonly filter: AuditFilter;
  /** The numbers of the first and the last entry in the export, and their count; undefined when it is empty. */
  readonly range:
    | { readonly first: number; readonly last: number; readonly count: number }
    | undefined;
  /** The chain's head at the time of the export. */
  readonly head: ChainHead | undefined;
}

export const EXPORT_WRITERS: Record<ExportFormat, (head: ExportHead) => FileWriter<ChainedEntry>> =
  {
    csv: (head) => ({
      head: [...csvPreamble(head), csvLine(MEMBERS.map(columnName)), ""].join(CSV_LINE_END),
      row: (entry) => csvLine(csvFields(entry)),
      between: CSV_LINE_END,
      tail: () => CSV_LINE_END,
    }),
    /** One entry per line, so that a reader need not hold the whole file; the first line is the head. */
    json: (head) => ({
      head: `${JSON.stringify(jsonHead(head)).slice(0, -1)},"entries":[\n`,
      row: jsonEntry,
      between: ",\n",
      tail: () => "\n]}\n",
    }),
  };

function jsonHead({ chain, exportedAt, filter, range, head }: ExportHead): object {
  return {
    kind: EXPORT_KIND,
    version: EXPORT_VERSION,
    chain,
    exportedAt: isoTime(exportedAt),
    filter: plainFilter(filter),
    range: range ?? null,
    head: head === undefined ? null : { ...head, at: isoTime(head.at) },
  };
}

/** Keeps jsonb's own text of `before` and `after`, so that numbers stay as they were hashed. */
function jsonEntry(entry: ChainedEntry): string {
  const { before, after, hash, prevHash, chain: _, at, ...fields } = entry;
  const text = JSON.stringify({ ...fields, at: isoTime(at), prevHash, hash });
  return `${text.slice(0, -1)},"before":${before},"after":${after}}`;
}

function csvPreamble(head: ExportHead): readonly string[] {
  const { range, head: end } = head;
  const facts: readonly (readonly CsvValue[])[] = [
    ["# Cloudwright audit export of chain", head.chain],
    ["# exported at", isoTime(head.exportedAt)],
    ["# filter", JSON.stringify(plainFilter(head.filter))],
    ["# entries", range?.count ?? 0, "from", range?.first, "to", range?.last],
    ["# head of the chain", end?.seq, end?.hash, end === undefined ? undefined : isoTime(end.at)],
  ];
  return facts.map(csvLine);
}

/** The members in the order of the columns. */
const MEMBERS: readonly (keyof ChainedEntry)[] = [
  ...(["seq", "at", "actorKind", "actorId", "actorName", "action"] as const),
  ...(["objectKind", "objectNamespace", "objectName", "objectUid", "why", "result"] as const),
  ...(["clientAddress", "clientAgent", "runId", "intentId", "before", "after"] as const),
  ...(["id", "prevHash", "hash", "format", "writtenBy", "proof", "sessionId"] as const),
];

function csvFields(entry: ChainedEntry): readonly CsvValue[] {
  return MEMBERS.map((member) => (member === "at" ? isoTime(entry.at) : entry[member]));
}

/** Returns a filter in its written form: times in RFC 3339, and only the fields that select. */
export function plainFilter({ from, to, ...others }: AuditFilter): JsonObject {
  const times = Object.entries({ from, to }).filter(([, ms]) => ms !== undefined);
  return {
    ...others,
    ...Object.fromEntries(times.map(([name, ms]) => [name, new Date(ms ?? 0).toISOString()])),
  };
}
