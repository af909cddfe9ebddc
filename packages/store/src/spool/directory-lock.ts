import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";

/** Another process uses the folder; the message is one sentence with the way out. */
export class DirectoryInUseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DirectoryInUseError";
  }
}

/**
 * Makes this process the only user of a folder until the answer is called. A lock left by a process that is gone is taken
 * over. Throws DirectoryInUseError while another process lives that has it.
 */
export function lockDirectory(folder: string): () => void {
  const file = path.join(folder, "lock.json");
  const mine = JSON.stringify(identityOf(process.pid));
  while (!create(file, mine)) {
    const holder = readHolder(file);
    if (holder !== undefined && isAlive(holder)) {
      throw new DirectoryInUseError(
        `The folder ${folder} is in use by process ${holder.pid} on ${holder.host}: give each process a folder of its own, or delete ${file} if that process is gone.`,
      );
    }
    rmSync(file, { force: true });
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

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    // On a full disk the file is made, only its text is not: a controller must still start.
    if (isCode(error, "ENOSPC")) return true;
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(readText(file) ?? "")).data;
  } catch {
    // Cut short by the death of its writer: nobody holds it.
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Of another host nothing is known, so its lock stands. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return isCode(error, "EPERM") && identityOf(holder.pid).started === holder.started;
  }
  return identityOf(holder.pid).started === holder.started;
}

function identityOf(pid: number): Holder {
  const started = startOf(pid);
  return { pid, host: hostname(), ...(started === undefined ? {} : { started }) };
}

/**
 * When a process began, in the kernel's ticks: tells a process from a later one that got the same id, as the first process
 * of a restarted container does. Undefined where there is no /proc.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets and may hold blanks; the start is the 22nd.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
