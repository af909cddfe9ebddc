import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { parsedJson } from "@cloudwright/core/model/values/json";
import { messageOf } from "@cloudwright/core/model/values/message-of";
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
    throw new PlainError(`--role-urls ${file} cannot be read (${messageOf(error)}): name a file.`, {
      cause: error,
    });
  }
  const parsed = roleUrlsSchema.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new PlainError(
    `--role-urls ${file} does not contain connection strings: name another file, or remove it to get new passwords.`,
  );
}

/**
 * Writes nothing lasting, but throws PlainError if the file cannot be written. Check this before passwords are set: if they could not
 * be stored, every process with the earlier ones would be locked out.
 */
export function checkRoleUrlsFile(file: string): void {
  const draft = draftOf(file);
  inFile(file, () => {
    writeFileSync(draft, "", { mode: 0o600 });
    rmSync(draft);
  });
}

/** Writes the file atomically, readable only by its owner, because it contains passwords. Throws PlainError. */
export function writeRoleUrls(file: string, urls: Partial<RoleUrls>): void {
  const draft = draftOf(file);
  inFile(file, () => {
    writeFileSync(draft, `${JSON.stringify(urls, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  });
}

function draftOf(file: string): string {
  return `${file}.${process.pid}`;
}

function inFile(file: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new PlainError(
      `--role-urls ${file} cannot be written (${messageOf(cause)}): name a file in a directory that you may write to.`,
      { cause },
    );
  }
}
