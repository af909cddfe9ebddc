/**
 * What a failed write means. `record`: the database will never take one of the records. `schema`: its tables are not those
 * of this release. `away`: all else, and trying again may help.
 */
export type FailureKind = "record" | "schema" | "away";

/** SQLSTATE classes: 22 data exception, 23 integrity constraint violation, 54 program limit exceeded. */
const RECORD_CLASSES = ["22", "23", "54"];
/** Undefined table, column, function, schema. */
const SCHEMA_CODES = ["42P01", "42703", "42883", "3F000"];

export function kindOfFailure(error: unknown): FailureKind {
  const code = sqlState(error);
  if (code === undefined) return "away";
  if (RECORD_CLASSES.includes(code.slice(0, 2))) return "record";
  return SCHEMA_CODES.includes(code) ? "schema" : "away";
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
}
