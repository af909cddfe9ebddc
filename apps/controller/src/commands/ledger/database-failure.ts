import { PlainError } from "../../plain-error.ts";

/** Does a command's work with the database. Throws PlainError if the database is the problem, since that is not our bug. */
export async function askDatabase<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const problem = databaseProblem(error);
    if (problem === undefined) throw error;
    throw new PlainError(problem, { cause: error });
  }
}

const WHERE = "--database-url, or the environment's DATABASE_URL";

/** Describes what is wrong with the database in one sentence; undefined for an error that does not come from the database. */
export function databaseProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = codeOf(error), line } = withinPrisma(lastLine(error));
  const why = `${line}${code === undefined ? "" : `, ${code}`}`;
  if (isAmong(LACKS_TABLES, code)) {
    return `The schema of the database is not the one that this release reads (${why}): run cloudwright migrate.`;
  }
  if (isAmong(LACKS_DATABASE, code)) {
    return `There is no such database (${why}): create it, or correct its name in ${WHERE}.`;
  }
  if (isAmong(REFUSES, code)) {
    return `The database rejected the login (${why}): check the user name, password and rights in ${WHERE}.`;
  }
  if (isAway(error))
    return `The database does not answer (${why}): check that it is running, and check ${WHERE}.`;
  return error.name.startsWith("PrismaClient") || "severity" in error
    ? `The database could not be queried (${why}).`
    : undefined;
}

/** Reports whether the database is unavailable, so that it may respond later. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  if (first !== undefined) return isAway(first);
  return (
    isAmong(AWAY, codeOf(error)) || /timeout e|connection terminated|^connect /i.test(error.message)
  );
}

/** SQLSTATEs of PostgreSQL, and Prisma's codes for them. */
const LACKS_TABLES = ["42P01", "42703", "3F000", "P2021", "P2022"];
const LACKS_DATABASE = ["3D000", "P1003"];
const REFUSES = ["28P01", "28000", "42501", "P1000", "P1010"];
/** Node.js's error codes, and the SQLSTATEs of a server that is starting, stopping or full. */
const AWAY = [
  ...["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH"],
  ...["57P01", "57P02", "57P03", "53300", "P1001", "P1002", "P1008", "P1017", "P2024"],
];

function isAmong(codes: readonly string[], code: string | undefined): boolean {
  return code !== undefined && codes.includes(code);
}

/** Prisma wraps an error of PostgreSQL that it has no code for. */
function withinPrisma(line: string): { readonly code?: string; readonly line: string } {
  const [, code, message] = /^Database error\. Code: `(\w{5})`\. Message: `(.*)`$/.exec(line) ?? [];
  return code === undefined || message === undefined ? { line } : { code, line: message };
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Prisma's message begins with the failed call; an error for a host with several addresses has no message of its own. */
function lastLine(error: Error): string {
  const reported = error instanceof AggregateError ? String(error.errors[0]) : error.message;
  const line = reported.trim().split("\n").at(-1) ?? "";
  return line.replace(/\.$/, "");
}
