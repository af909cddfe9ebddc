import type { ObjectKind, StateColumn } from "@cloudwright/core/model/kinds/define-kind";
import { codesWhere, type Facts, type Reason, reasonSchema } from "@cloudwright/core/model/reason";
import { z } from "zod";

/**
 * Reads a JSON column by its schema. A newer release may have written something that this one does not know: then the fallback is shown
 * instead of failing the page.
 */
export function readJson<Output, Fallback>(
  schema: z.core.$ZodType<Output>,
  value: unknown,
  fallback: Fallback,
): Output | Fallback {
  const parsed = z.safeParse(schema, value);
  return parsed.success ? parsed.data : fallback;
}

export function readReason(value: unknown): Reason {
  const known = reasonSchema.safeParse(value);
  if (known.success) return known.data;
  return {
    code: "Unexplained",
    message: `recorded by another version as ${JSON.stringify(value)}`,
  };
}

/** Returns the codes with this property, as an SQL list. */
export function sqlCodes(is: (facts: Facts) => boolean): string {
  return codesWhere(is)
    .map((code) => `'${code}'`)
    .join(", ");
}

/** Returns kinds of objects as an SQL list. */
export function sqlKinds(...kinds: readonly Pick<ObjectKind, "name">[]): string {
  return kinds.map(({ name }) => `'${name}'`).join(", ");
}

/** Returns milliseconds since the epoch, undefined for null. */
export function readTime(value: Date | null): number | undefined {
  return value === null ? undefined : value.getTime();
}

export function orUndefined<Value>(value: Value | null): Value | undefined {
  return value === null ? undefined : value;
}

/** Used for each column of each written row; it has as many entries as the definitions have columns. */
const COLUMN_NAMES = new Map<string, string>();

/** A row as the driver returns it, by column name. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** The readers of columns, by member name: `runId` reads the column `run_id`. */
type Readers = Readonly<Record<string, (stored: never) => unknown>>;

/**
 * Defines columns once for the statement that selects them and for reading its rows. The database's schema determines what the driver
 * returns for a column, so its reader relies on that.
 */
export function storedColumns<Given extends Readers>(readers: Given) {
  const columns = Object.entries<(stored: never) => unknown>(readers).map(
    ([name, read]) => [name, columnName(name), read] as const,
  );
  return {
    columns: columns.map(([, column]) => column).join(", "),
    read: (row: StoredRow) =>
      Object.fromEntries(
        columns.map(([name, column, read]) => [name, read(row[column] as never)]),
      ) as { readonly [Name in keyof Given]: ReturnType<Given[Name]> },
  };
}

export function asIs<Value>(stored: Value): Value {
  return stored;
}

export const asText = asIs<string>;

export const asOptionalText = orUndefined<string>;

/** The driver returns a bigint as text. */
export function asNumber(stored: number | string): number {
  return Number(stored);
}

/** Returns milliseconds since the epoch. */
export function asTime(stored: Date): number {
  return stored.getTime();
}

export function asJson<Output, const Fallback>(
  schema: z.core.$ZodType<Output>,
  fallback: Fallback,
) {
  return (stored: unknown) => readJson(schema, stored, fallback);
}

const OBJECT = storedColumns({
  objectKind: asText,
  // Some tables store an absent namespace as an empty text.
  objectNamespace: (stored: string | null) => stored || undefined,
  objectName: asText,
  objectUid: asOptionalText,
});

export const OBJECT_COLUMNS = OBJECT.columns;

/** Returns the object that a row is about. */
export function storedObject(row: StoredRow) {
  const { objectKind, objectNamespace, objectName, objectUid } = OBJECT.read(row);
  return { kind: objectKind, namespace: objectNamespace, name: objectName, uid: objectUid };
}

/** Returns the column name of a definition's member: `initMs` is `init_ms`, `providerID` is `provider_id`. */
export function columnName(name: string): string {
  const known = COLUMN_NAMES.get(name);
  if (known !== undefined) return known;
  const made = name.replaceAll(/([a-z])([A-Z]+)/g, "$1_$2").toLowerCase();
  COLUMN_NAMES.set(name, made);
  return made;
}

export function quoted(column: string): string {
  return `"${column}"`;
}

/** Returns the value of a column as the driver returns it; the fallback for a value that is null or unknown to this release. */
function readColumn({ type, schema, fallback }: StateColumn, stored: unknown): unknown {
  if (stored === null || stored === undefined) return fallback;
  if (stored instanceof Date) return stored.getTime();
  // The driver returns a bigint as text.
  const value = type === "bigint" ? Number(stored) : stored;
  return schema === undefined ? value : readJson(schema, value, fallback);
}

/** Returns the members of a definition that these columns of a row hold. */
export function readColumns(
  columns: Readonly<Record<string, StateColumn>>,
  row: Readonly<Record<string, unknown>>,
  names: readonly string[] = Object.keys(columns),
): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const column = columns[name];
      return column === undefined ? [] : [[name, readColumn(column, row[columnName(name)])]];
    }),
  );
}
