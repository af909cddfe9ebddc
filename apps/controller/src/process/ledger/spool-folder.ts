import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@cloudwright/core/model/time";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { openSpool, type Spool } from "@cloudwright/store/spool/spool";
import type { Log } from "../../logging/log.ts";
import { PlainError } from "../../plain-error.ts";

export interface SpoolOptions {
  /** `--spool-dir`; with "", we choose the folder. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly clusterUid: string;
  /** The name of this process in its records. */
  readonly instance: string;
  readonly hostname: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** How many processes of one cluster may share a host without `--spool-dir`. */
const PLACES = 16;

/**
 * Opens the spool. A given folder must work (PlainError). Without one, it uses one of a few numbered folders for this cluster and
 * host, so that a restarted process continues with what the last one left. Returns undefined if no folder can be written.
 */
export function openSpoolFolder(options: SpoolOptions): Spool | undefined {
  if (options.folder !== "") return openNamed(options);
  const parent = stateFolders().find(isWritable);
  if (parent === undefined) return undefined;
  const base = join(parent, options.clusterUid, options.hostname);
  for (let place = 1; place <= PLACES; place += 1) {
    const spool = openPlace(options, join(base, `spool-${place}`));
    if (spool !== undefined) return spool;
  }
  return undefined;
}

/** Returns the folders in which controllers without `--spool-dir` keep their state on this host; the first writable one is used. */
export function stateFolders(): readonly string[] {
  const state = process.env.XDG_STATE_HOME ?? join(homedir(), ".local", "state");
  return [state, tmpdir()].map((folder) => join(folder, "cloudwright"));
}

function openNamed(options: SpoolOptions): Spool {
  try {
    return openIn(options, options.folder);
  } catch (cause) {
    const why = messageOf(cause);
    // A folder that another process uses is described in a sentence, an error of the disk is not.
    const sentence = why.endsWith(".")
      ? `--spool-dir cannot be used: ${why}`
      : `--spool-dir cannot be used (${why}): name a directory that this process may write to.`;
    throw new PlainError(sentence, { cause });
  }
}

/** Returns undefined for a folder that another process uses. */
function openPlace(options: SpoolOptions, dir: string): Spool | undefined {
  const { log } = options;
  try {
    const spool = openIn(options, dir);
    log.info({ dir }, "Spooling decisions to this directory");
    return spool;
  } catch (err) {
    if (err instanceof Error && err.name === "DirectoryInUseError") return undefined;
    log.warn({ err, dir }, "This spool folder cannot be used");
    return undefined;
  }
}

function openIn({ maxBytes, clock, clusterUid, instance }: SpoolOptions, dir: string): Spool {
  return openSpool({ dir, maxBytes, clock, owner: { cluster: clusterUid, instance } });
}

/** State belongs in the home folder; in a container with a read-only root only the temporary folder may be writable. */
function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
