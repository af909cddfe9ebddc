import { PlainError } from "../../plain-error.ts";

/** Does a command's work with the database. Throws PlainError where the database is the trouble: that is no bug of ours. */
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

/** What is the matter with the database, in one sentence; undefined for an error that is not the database's. */
export function databaseProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  const why = `${lastLine(error)}${code === undefined ? "" : `, ${code}`}`;
  if (isAmong(LACKS_TABLES, code)) {
    return `The schema of the database is not the one that this release reads (${why}): run cloudwright migrate.`;
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

/** Whether the database does not answer, so that it may later. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  if (first !== undefined) return isAway(first);
  return (
    isAmong(AWAY, codeOf(error)) || /timeout e|connection terminated|^connect /i.test(error.message)
  );
}

/** SQLSTATEs of PostgreSQL, and what Prisma calls them. */
const LACKS_TABLES = ["42P01", "42703", "3F000", "P2021", "P2022"];
const REFUSES = ["28P01", "28000", "3D000", "42501", "P1000", "P1003", "P1010"];
/** As Node.js calls them, and those of a server that starts, stops or is full. */
const AWAY = [
  ...["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH"],
  ...["57P01", "57P02", "57P03", "53300", "P1001", "P1002", "P1008", "P1017", "P2024"],
];

function isAmong(codes: readonly string[], code: string | undefined): boolean {
  return code !== undefined && codes.includes(code);
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Prisma begins with the call that failed, and a name with several addresses fails without a word of its own. */
function lastLine(error: Error): string {
  const reported = error instanceof AggregateError ? String(error.errors[0]) : error.message;
  const line = reported.trim().split("\n").at(-1) ?? "";
  return line.replace(/\.$/, "");
}
