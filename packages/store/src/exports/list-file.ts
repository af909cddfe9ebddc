import type { JsonObject } from "@cloudwright/core/model/values/json";
import { CSV_LINE_END, csvLine } from "../text/csv.ts";
import { type ExportFormat, type FileWriter, isoTime } from "./file-pieces.ts";

const LIST_FILE_KIND = "cloudwright-list";
const LIST_FILE_VERSION = 1;

/** One field of each row. Times are ISO 8601 in UTC; an unknown value is undefined. */
export interface ExportedField<Row> {
  /** The field's name in JSON. */
  readonly id: string;
  /** The field's name in CSV, as on the page. */
  readonly header: string;
  readonly value: (row: Row) => string | number | boolean | undefined;
}

/** The head of a file of a list. */
export interface ListHead {
  readonly list: string;
  /** Undefined for a list that is not about one cluster. */
  readonly cluster: { readonly id: string; readonly name: string } | undefined;
  readonly exportedAt: number;
  readonly filter: JsonObject;
  /** The order as in the page's address, such as `-since`. */
  readonly order: string;
}

/** Returns the writer for a format: all formats have the same rows, values and head. */
export function listWriter<Row>(
  format: ExportFormat,
  head: ListHead,
  fields: readonly ExportedField<Row>[],
): FileWriter<Row> {
  return format === "csv" ? csvWriter(head, fields) : jsonWriter(head, fields);
}

function csvWriter<Row>(head: ListHead, fields: readonly ExportedField<Row>[]): FileWriter<Row> {
  const lines = [
    ["# Cloudwright export of", head.list],
    ...(head.cluster === undefined ? [] : [["# cluster", head.cluster.id, head.cluster.name]]),
    ["# exported at", isoTime(head.exportedAt)],
    ["# filter", JSON.stringify(head.filter)],
    ["# order", head.order],
  ];
  return {
    head: [...lines.map(csvLine), csvLine(fields.map(({ header }) => header)), ""].join(
      CSV_LINE_END,
    ),
    row: (row) => csvLine(fields.map(({ value }) => value(row))),
    between: CSV_LINE_END,
    tail: (count) => (count === 0 ? "" : CSV_LINE_END),
  };
}

/** One row per line, so that a reader need not hold the whole file; the first line is the head. */
function jsonWriter<Row>(
  { exportedAt, ...head }: ListHead,
  fields: readonly ExportedField<Row>[],
): FileWriter<Row> {
  const first = {
    ...{ kind: LIST_FILE_KIND, version: LIST_FILE_VERSION },
    ...head,
    exportedAt: isoTime(exportedAt),
    fields: Object.fromEntries(fields.map(({ id, header }) => [id, header])),
  };
  return {
    head: `${JSON.stringify(first).slice(0, -1)},"rows":[\n`,
    row: (row) =>
      JSON.stringify(Object.fromEntries(fields.map(({ id, value }) => [id, value(row) ?? null]))),
    between: ",\n",
    tail: (count) => `\n],"count":${count}}\n`,
  };
}
