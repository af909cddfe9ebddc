import { execFileSync } from "node:child_process";
import { PlainError } from "../lib/project.mjs";

/** glibc itself loads further libraries to resolve names, which ldd does not list. They are part of libc from 2.34 on. */
const OLDEST_GLIBC = [2, 34];

/**
 * Returns the paths of the libraries that a program links on this machine, its loader included. Throws PlainError if the C
 * library is too old.
 */
export function sharedLibraries(program) {
  requireNameLookups();
  return librariesOf(execFileSync("ldd", [program], { encoding: "utf8" }));
}

/** Parses ldd's output: `name => path (address)` for libraries, `path (address)` for the loader; the kernel's page has no path. */
export function librariesOf(printed) {
  const found = printed.split("\n").flatMap((line) => {
    const missing = /^\s*(\S+) => not found/.exec(line);
    if (missing !== null)
      throw new PlainError(`The library ${missing[1]} is missing on this machine.`);
    return /(?:=>\s+|^\s*)(\/\S+) \(0x/.exec(line)?.[1] ?? [];
  });
  return [...new Set(found)].sort();
}

function requireNameLookups() {
  const version = process.report.getReport().header.glibcVersionRuntime;
  const [major = 0, minor = 0] = String(version ?? "0.0")
    .split(".")
    .map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_GLIBC;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new PlainError(
    `This machine's C library is ${version ?? "not glibc"}: an image needs glibc ${OLDEST_GLIBC.join(".")} or newer. Build deploy/Containerfile instead.`,
  );
}
