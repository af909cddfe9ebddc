import { createHash, randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { z } from "zod";

/** Releases the lock. Idempotent. */
export type Unlock = () => Promise<void>;

/**
 * Takes `FILE.lock` for this process, so that no two processes share the state at `file`. A lock of a dead process is taken over, even if
 * its process id was reused meanwhile (on Linux the start time shows that). Throws FileInUseError, which names the process that holds it.
 */
export async function lockFile(file: string): Promise<Unlock> {
  const lockPath = `${file}.lock`;
  const nonce = randomBytes(6).toString("hex");
  const own = JSON.stringify({ ...(await ownerOf(process.pid)), nonce });
  const draft = `${lockPath}.${nonce}`;
  await writeFile(draft, own, { mode: 0o600 });
  try {
    await claim({ lockPath, draft, file });
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    if ((await readText(lockPath)) === own) {
      await rm(lockPath, { force: true });
    }
  };
}

interface Claim {
  readonly lockPath: string;
  readonly draft: string;
  readonly file: string;
}

const ATTEMPTS = 5;

async function claim({ lockPath, draft, file }: Claim): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await linked(draft, lockPath)) {
      return;
    }
    const held = await readText(lockPath);
    if (held === undefined) {
      continue;
    }
    await requireStale(held, file);
    if (await takeOver({ lockPath, draft, file }, held)) {
      return;
    }
  }
  throw new Error(
    `The lock ${lockPath} could not be acquired, because others are trying at the same time: try again.`,
  );
}

/** Thrown when the state belongs to a live process. */
export class FileInUseError extends Error {
  override readonly name = "FileInUseError";
}

async function requireStale(held: string, file: string): Promise<void> {
  const owner = parseOwner(held);
  if (owner !== undefined && (await isAlive(owner))) {
    throw new FileInUseError(
      `The state ${file} is in use by process ${owner.pid}: stop that process or choose another file.`,
    );
  }
}

/**
 * Replaces a stale lock. Several processes may find the same one, and a slow process must not replace the lock that a fast one has just
 * created: a process first claims the right to replace it, under a name derived from the stale lock's content.
 */
async function takeOver(wanted: Claim, stale: string): Promise<boolean> {
  const mark = createHash("sha256").update(stale).digest("hex").slice(0, 12);
  const right = `${wanted.lockPath}.${mark}`;
  await claim({ ...wanted, lockPath: right });
  if ((await readText(wanted.lockPath)) === stale) {
    await rename(right, wanted.lockPath);
    return true;
  }
  await rm(right, { force: true });
  return false;
}

/** A link appears completely or not at all, so nobody ever reads a partial lock. */
async function linked(draft: string, lockPath: string): Promise<boolean> {
  try {
    await link(draft, lockPath);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) {
      return false;
    }
    throw error;
  }
}

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  /** Clock ticks from boot to the process's start; absent where the system does not report them. */
  startTicks: z.string().optional(),
});
type Owner = z.infer<typeof ownerSchema>;

function parseOwner(text: string): Owner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function ownerOf(pid: number): Promise<Owner> {
  const startTicks = await readStartTicks(pid);
  return startTicks === undefined ? { pid } : { pid, startTicks };
}

async function isAlive(owner: Owner): Promise<boolean> {
  if (!signalReaches(owner.pid)) {
    return false;
  }
  const startTicks = await readStartTicks(owner.pid);
  return startTicks === undefined || startTicks === owner.startTicks;
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

const START_TIME_AFTER_NAME = 19;

/** Reads field 22 of /proc/PID/stat; fields are counted from after the name, which may contain spaces and brackets. */
async function readStartTicks(pid: number): Promise<string | undefined> {
  const text = await readText(`/proc/${pid}/stat`);
  if (text === undefined) {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "ended" : fields[START_TIME_AFTER_NAME];
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ESRCH")) {
      return undefined;
    }
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
