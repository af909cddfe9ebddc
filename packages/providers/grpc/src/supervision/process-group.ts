import { readdirSync, readFileSync } from "node:fs";

/** Sends a signal to every process of a group. One that is gone needs none, and one that we may not signal still runs afterwards. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Whether it ended is asked apart.
  }
}

/**
 * Whether any process of the group still runs. One that has ended but that nobody has waited for runs no more, yet takes signals: in a
 * container, whose first process may be ourselves, a wrapper's orphans stay so for ever.
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
  // `pid (name) state parent group …`: the name may hold anything, brackets too.
  const [state = "", , of = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(of) === group && !ENDED.has(state);
}

/** "" for one that has ended meanwhile. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
