import {
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { parsedJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";

/** Thrown when another process uses the folder; the message is one sentence that says what to do. */
class DirectoryInUseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DirectoryInUseError";
  }
}

/**
 * Makes this process the only user of a folder until the returned function is called. A dead process's lock is taken over. Throws
 * DirectoryInUseError while another live process has the lock, and the disk's error when it cannot be created.
 *
 * The lock is a symbolic link that leads nowhere: its target names the holder. It is created in one step, so it is complete or absent, even
 * on a full disk, where a file could be created but not written.
 */
export function lockDirectory(folder: string): () => void {
  const file = path.join(folder, "lock.json");
  const mine = JSON.stringify(identityOf(process.pid));
  while (!create(file, mine)) {
    const text = readText(file);
    const holder = holderOf(text);
    if (holder !== undefined && isAlive(holder)) {
      throw new DirectoryInUseError(
        `The folder ${folder} is in use by process ${holder.pid} on ${holder.host}: give each process its own directory, or delete ${file} if that process is gone.`,
      );
    }
    removeLock(file, text);
  }
  return () => {
    if (readText(file) === mine) rmSync(file, { force: true });
  };
}

const holderSchema = z.object({
  pid: z.number(),
  host: z.string(),
  started: z.string().optional(),
});
type Holder = z.infer<typeof holderSchema>;

/** Returns false when there is a lock. */
function create(file: string, text: string): boolean {
  try {
    symlinkSync(text, file);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    if (NO_LINKS.some((code) => isCode(error, code))) return createFile(file, text);
    throw error;
  }
}

/** The errors of file systems without symbolic links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

function createFile(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    rmSync(file, { force: true });
    throw error;
  }
}

/** Removes the lock that was checked, and puts it back if another process was faster and it is a new one. */
function removeLock(file: string, judged: string | undefined): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (isCode(error, "ENOENT")) return;
    throw error;
  }
  if (readText(aside) === judged) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

/** Returns undefined for a lock that was cut short when its writer died: nobody holds it. */
function holderOf(text: string | undefined): Holder | undefined {
  return holderSchema.safeParse(parsedJson(text ?? "")).data;
}

/** Reads the link's target, or the file on a file system without links. */
function readText(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    if (isCode(error, "EINVAL")) return readFileSync(file, "utf8");
    throw error;
  }
}

/** The state of another host is unknown, so its lock stands. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostOfThis()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return isCode(error, "EPERM") && identityOf(holder.pid).started === holder.started;
  }
  return identityOf(holder.pid).started === holder.started;
}

function identityOf(pid: number): Holder {
  const started = startOf(pid);
  return { pid, host: hostOfThis(), ...(started === undefined ? {} : { started }) };
}

/** The environment names a replica that keeps its folder on whatever host it runs: then a lock from another host is its own. */
function hostOfThis(): string {
  return process.env.CLOUDWRIGHT_SPOOL_OWNER ?? hostname();
}

/**
 * Returns when a process began, in the kernel's ticks. This distinguishes a process from a later one with the same id, such as the first
 * process of a restarted container. Undefined where there is no /proc.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets and may contain spaces; the start time is the 22nd.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
