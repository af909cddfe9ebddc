import { readdirSync, readFileSync } from "node:fs";

/** Sends a signal to every process of a group. A missing process needs none, and one that we may not signal keeps running. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Whether it ended is checked separately.
  }
}

/**
 * Reports whether any process of the group is still running. Zombies do not count, although they accept signals: in a container,
 * whose first process may be ourselves, a wrapper's orphans stay zombies forever.
 */
export function isGroupRunning(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return !isGone(error);
  }
  return process.platform !== "linux" || membersOf(group).length > 0;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ESRCH";
}

function membersOf(group: number): readonly string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isMember(pid, group));
}

const ENDED: ReadonlySet<string> = new Set(["Z", "X", "x"]);

function isMember(pid: string, group: number): boolean {
  const stat = statOf(pid);
  // `pid (name) state parent group …`: the name may contain anything, even brackets.
  const [state = "", , of = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(of) === group && !ENDED.has(state);
}

/** Returns "" for a process that has ended meanwhile. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
