import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { identityOf, isRunning } from "./process-identity.mjs";

const ATTEMPTS = 20;

/**
 * Takes the lock at `path` for this process. Returns `{release, note}`, or `{owner}` if a living process holds it. `note(facts)`
 * adds facts that others read in `owner`. The lock of a dead process is taken over, unless that process noted a child that is
 * still running.
 */
export function takeLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const self = identityOf(process.pid);
  const draft = `${path}.${process.pid}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    writeFileSync(draft, JSON.stringify(self), { mode: 0o600 });
    if (linked(draft, path)) return holder(path, draft, self);
    const owner = readOwner(path);
    if (owner !== undefined && isHeld(owner)) {
      rmSync(draft, { force: true });
      return { owner };
    }
    if (owner !== undefined) discard(path, owner);
  }
  rmSync(draft, { force: true });
  return { owner: readOwner(path) ?? { pid: 0 } };
}

function holder(path, draft, self) {
  rmSync(draft, { force: true });
  return {
    note(facts) {
      writeFileSync(draft, JSON.stringify({ ...self, ...facts }), { mode: 0o600 });
      renameSync(draft, path);
    },
    release() {
      if (readOwner(path)?.pid === self.pid) rmSync(path, { force: true });
    },
  };
}

function isHeld(owner) {
  return isRunning(owner) || (owner.child !== undefined && isRunning(owner.child));
}

/** Two processes may find the same dead lock; the slower one restores what the faster one has just taken. */
function discard(path, stale) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  if (readOwner(aside)?.pid !== stale.pid) linked(aside, path);
  rmSync(aside, { force: true });
}

function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Returns undefined if there is no lock; an unreadable lock counts as that of a dead process. */
function readOwner(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return error.code === "ENOENT" ? undefined : { pid: -1, startedAt: "" };
  }
}
