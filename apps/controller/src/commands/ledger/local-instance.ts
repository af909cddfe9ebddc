import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { databaseUrlProblems } from "../../flags/database-url.ts";
import { PlainError } from "../../plain-error.ts";

const endpointsSchema = z.object({ dashboard: z.string(), databaseUrl: z.string() });

/** What `npm start` has written about the Cloudwright that runs on this machine. */
export type LocalInstance = z.infer<typeof endpointsSchema>;

export interface DatabaseFlags {
  readonly databaseUrl?: string;
  /** The folder in which `npm start` keeps everything. */
  readonly data: string;
}

export const DATABASE_OPTIONS = {
  url: [
    "--database-url <url>",
    "PostgreSQL URL of the ledger; if not given, DATABASE_URL is used, or the database of npm start",
  ],
  data: ["--data <dir>", "the data directory of a running npm start", ".cloudwright"],
} as const;

/** Returns the given database, or that of the Cloudwright running here. Throws PlainError if there is none. */
export function requireDatabaseUrl(flags: DatabaseFlags): string {
  const url = namedDatabaseUrl(flags);
  if (url !== undefined) return url;
  throw new PlainError(
    "No database is named: set DATABASE_URL, give --database-url=postgresql://user@host/name, or run this beside npm start.",
  );
}

/** Like `requireDatabaseUrl`, but returns undefined if there is none. Throws PlainError for an invalid address. */
export function namedDatabaseUrl({ databaseUrl, data }: DatabaseFlags): string | undefined {
  const named = [databaseUrl, process.env.DATABASE_URL].find(
    (url) => url !== undefined && url !== "",
  );
  const url = named ?? localInstance(data)?.databaseUrl ?? "";
  const [problem] = databaseUrlProblems("The database's URL", url);
  if (problem !== undefined) throw new PlainError(problem);
  return url === "" ? undefined : url;
}

/** Returns undefined if nothing runs in that folder. */
export function localInstance(data: string): LocalInstance | undefined {
  try {
    const text = readFileSync(join(data, "endpoints.json"), "utf8");
    return endpointsSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
