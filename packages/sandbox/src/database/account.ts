import { readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The account that runs PostgreSQL when we are root, as which it refuses to run. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Returns undefined for an ordinary user, who runs PostgreSQL directly; for root the account `postgres`, else `nobody`. */
export async function databaseAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [name, , uid, gid] = lines.find(([user]) => user === wanted) ?? [];
    if (name !== undefined && Number(uid) !== 0) {
      return { name, uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and neither the account postgres nor nobody exists: start as another user or set DATABASE_URL.",
  );
}

/** Reports whether the account may traverse every folder down to this one. False for a missing folder. */
export async function mayEnter(folder: string, account: Account): Promise<boolean> {
  const start = await realpath(folder).catch(() => undefined);
  if (start === undefined) {
    return false;
  }
  for (let path = start; ; path = dirname(path)) {
    if (!passable(await stat(path), account)) {
      return false;
    }
    if (path === dirname(path)) {
      return true;
    }
  }
}

function passable(
  { mode, uid, gid }: { mode: number; uid: number; gid: number },
  account: Account,
): boolean {
  if (uid === account.uid) {
    return (mode & 0o100) !== 0;
  }
  return (mode & (gid === account.gid ? 0o010 : 0o001)) !== 0;
}
