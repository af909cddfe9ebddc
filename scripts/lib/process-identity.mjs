import { readFileSync } from "node:fs";

const START_TIME_FIELD = 19;

/** A process by number and, where /proc says it, start time: a number alone is given out again. */
export function identityOf(pid) {
  return { pid, startedAt: startTimeOf(pid) };
}

/** Whether that very process still runs. */
export function isRunning({ pid, startedAt }) {
  if (!signalReaches(pid)) return false;
  const now = startTimeOf(pid);
  return now === undefined || startedAt === undefined || now === startedAt;
}

/** Field 22 of /proc/PID/stat, counted from behind the name; undefined where there is no /proc; "" for a zombie. */
function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "" : fields[START_TIME_FIELD];
  } catch {
    return undefined;
  }
}

/** Zero and below would reach whole groups of processes. */
function signalReaches(pid) {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
