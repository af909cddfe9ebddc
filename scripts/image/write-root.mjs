import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PlainError } from "../lib/project.mjs";

/** Writes an image's files into a new folder. Throws PlainError if it exists. Sets owners if we are root. */
export function writeRoot(folder, files) {
  if (existsSync(folder))
    throw new PlainError(`${folder} is there already: name a folder that is to be made.`);
  for (const { path, mode, owner, content } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (content !== undefined) writeFileSync(target, content());
    else mkdirSync(target, { recursive: true });
    chmodSync(target, mode);
    if (owner !== undefined && process.getuid() === 0) chownSync(target, owner, owner);
  }
}
