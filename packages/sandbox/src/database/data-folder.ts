import { execFile } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Account, mayEnter } from "./account.ts";
import type { DatabaseBinaries } from "./binaries.ts";

/** How to start a PostgreSQL program on a data folder: the folder's argument, the working folder, and the account. */
export interface ProgramPlace {
  readonly dataArgument: string;
  readonly spawn: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly uid?: number;
    readonly gid?: number;
  };
}

/**
 * Returns a place from which another account can reach its folder, which may lie in a closed home or temporary folder. Linux enters the
 * working folder before it changes the account, and `/proc/self/cwd` leads there without traversing its parents.
 */
export async function placeOf(
  dataDir: string,
  account: Account | undefined,
): Promise<ProgramPlace> {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  if (account === undefined) {
    return { dataArgument: dataDir, spawn: { cwd: "/", env } };
  }
  const { uid, gid } = account;
  if (await mayEnter(dataDir, account)) {
    return { dataArgument: dataDir, spawn: { cwd: "/", env, uid, gid } };
  }
  if (process.platform === "linux") {
    return { dataArgument: "/proc/self/cwd", spawn: { cwd: dataDir, env, uid, gid } };
  }
  throw new Error(
    `The account ${account.name} cannot enter ${dataDir}: choose another data folder or set DATABASE_URL.`,
  );
}

export interface FolderOptions {
  readonly dataDir: string;
  readonly account: Account | undefined;
  readonly binaries: DatabaseBinaries;
}

/**
 * Ensures that the folder contains a PostgreSQL data set of our version. It is created under another name and moved in place, so that an
 * interrupted start leaves nothing incomplete. Only the folder itself is closed to others.
 */
export async function ensureDataFolder(options: FolderOptions): Promise<string> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dirname(dataDir), { recursive: true });
  const version = await readFile(join(dataDir, "PG_VERSION"), "utf8").catch(() => undefined);
  if (version === undefined) {
    await requireEmpty(dataDir);
    await initialise(dataDir, options);
  } else {
    await requireVersion(dataDir, { version: version.trim(), binaries: options.binaries });
  }
  return await realpath(dataDir);
}

const run = promisify(execFile);

async function initialise(dataDir: string, { account, binaries }: FolderOptions): Promise<void> {
  // Files beside the folder may belong to others, but nobody else uses this name.
  const draft = `${dataDir}.cloudwright-new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft);
  await chmod(draft, 0o700);
  if (account !== undefined) {
    await chown(draft, account.uid, account.gid);
  }
  const { dataArgument, spawn } = await placeOf(draft, account);
  const options = ["--auth=reject", "--encoding=UTF8", "--locale=C", "--data-checksums"];
  const args = ["-D", dataArgument, "-U", "postgres", ...options, "--no-sync"];
  await run(binaries.initdb, args, spawn).catch((cause: unknown) => {
    throw new Error(
      `PostgreSQL could not create its data directory ${dataDir} (${detailOf(cause)}): fix that or set DATABASE_URL.`,
      { cause },
    );
  });
  await rm(dataDir, { recursive: true, force: true });
  await rename(draft, dataDir);
}

function detailOf(error: unknown): string {
  const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const lines = output.split("\n").filter((line) => line.includes("error:"));
  return lines.at(-1)?.trim() ?? String(error);
}

/** What else is there would be lost. Throws an Error of one sentence, or the disk's error. */
async function requireEmpty(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    if (error.code !== "ENOTDIR") throw error;
    throw new Error(`The path ${dataDir} is not a folder: choose another data folder.`);
  });
  if (entries.length > 0) {
    throw new Error(
      `The folder ${dataDir} is not empty and holds no PostgreSQL data: choose another data folder.`,
    );
  }
}

async function requireVersion(
  dataDir: string,
  { version, binaries }: { version: string; binaries: DatabaseBinaries },
): Promise<void> {
  const { stdout } = await run(binaries.postgres, ["--version"]);
  const ours = /\b(\d+)\b/.exec(stdout)?.[1];
  if (ours !== version) {
    throw new Error(
      `The data in ${dataDir} was written by PostgreSQL ${version}, but the embedded one is ${ours}: move the directory away or set DATABASE_URL.`,
    );
  }
}
