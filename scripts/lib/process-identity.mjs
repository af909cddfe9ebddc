import { readFileSync } from "node:fs";

const START_TIME_FIELD = 19;

/** Identifies a process by number and, if /proc shows it, by start time: numbers are reused. */
export function identityOf(pid) {
  return { pid, startedAt: startTimeOf(pid) };
}

/** Reports whether that very process is still running. */
export function isRunning({ pid, startedAt }) {
  if (!signalReaches(pid)) return false;
  const now = startTimeOf(pid);
  return now === undefined || startedAt === undefined || now === startedAt;
}

/** Reads field 22 of /proc/PID/stat, counted from after the name; undefined without /proc; "" for a zombie. */
function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "" : fields[START_TIME_FIELD];
  } catch {
    return undefined;
  }
}

/** Zero and negative numbers would address whole process groups. */
function signalReaches(pid) {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
