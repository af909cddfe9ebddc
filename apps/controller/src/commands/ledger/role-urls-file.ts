import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { parsedJson } from "@cloudwright/core/model/values/json";
import type { RoleUrls } from "@cloudwright/store/roles/role-logins";
import { z } from "zod";
import { PlainError } from "../../plain-error.ts";

const roleUrlsSchema = z
  .object({ controller: z.url(), web: z.url().optional() })
  .transform(({ controller, web }) => ({ controller, ...(web === undefined ? {} : { web }) }));

/** Reads what an earlier migration has written; empty if there is no such file. Throws PlainError if the file holds anything else. */
export function readRoleUrls(file: string): Partial<RoleUrls> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new PlainError(`--role-urls ${file} cannot be read: ${String(error)}.`, { cause: error });
  }
  const parsed = roleUrlsSchema.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new PlainError(
    `--role-urls ${file} does not contain connection strings: name another file, or remove it to get new passwords.`,
  );
}

/** Writes the file atomically, readable only by its owner, because it contains passwords. */
export function writeRoleUrls(file: string, urls: Partial<RoleUrls>): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(urls, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    throw new PlainError(`--role-urls ${file} cannot be written: ${String(error)}.`, {
      cause: error,
    });
  }
}
