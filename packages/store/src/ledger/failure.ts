/**
 * What a failed write means. `record`: the database will never take one of the records. `schema`: its tables are not those
 * of this release. `login`: this login lacks a right, or the grant of its cluster. `away`: all else, and trying again may help.
 */
export type FailureKind = "record" | "schema" | "login" | "away";

/** SQLSTATE classes: 22 data exception, 23 integrity constraint violation, 54 program limit exceeded. */
const RECORD_CLASSES = ["22", "23", "54"];
/** Undefined table, column, function, schema. */
const SCHEMA_CODES = ["42P01", "42703", "42883", "3F000"];
/** Insufficient privilege, which the ledger's own functions answer as well; a login or password that is refused. */
const LOGIN_CODES = ["42501", "28000", "28P01"];

export function kindOfFailure(error: unknown): FailureKind {
  const code = sqlState(error);
  if (code === undefined) return "away";
  if (RECORD_CLASSES.includes(code.slice(0, 2))) return "record";
  if (SCHEMA_CODES.includes(code)) return "schema";
  return LOGIN_CODES.includes(code) ? "login" : "away";
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
}
