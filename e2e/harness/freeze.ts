import { readdirSync, readFileSync } from "node:fs";

/**
 * Stops a process and its children (SIGSTOP), so that they neither exit nor respond; the returned function lets all of them
 * continue. Linux only.
 */
export function freeze(pid: number): () => void {
  const stopped = [pid];
  // A stopped process cannot start another, so the parent is stopped first.
  process.kill(pid, "SIGSTOP");
  for (const parent of stopped) {
    for (const child of childrenOf(parent)) {
      if (trySignal(child, "SIGSTOP")) stopped.push(child);
    }
  }
  return () => {
    for (const each of stopped.toReversed()) trySignal(each, "SIGCONT");
  };
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) \S /);
    return Number(rest.split(" ")[0]);
  } catch {
    // It has ended since it was listed.
    return undefined;
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
