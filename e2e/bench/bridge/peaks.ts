import { readdirSync, readFileSync } from "node:fs";

const EACH_MS = 200;

/** The peak memory of processes by name. */
export interface Peaks<Name extends string> {
  /** Returns MiB of the largest process seen since the last call; undefined if there was none. */
  taken(): Readonly<Record<Name, number | undefined>>;
  close(): void;
}

/**
 * Watches the processes whose command line each test accepts. Linux keeps the peak of a process's resident memory, so only a
 * process that ends between two polls is missed.
 */
export function watchPeaks<Name extends string>(
  tests: Readonly<Record<Name, (commandLine: string) => boolean>>,
): Peaks<Name> {
  const names = Object.keys(tests) as Name[];
  const most = new Map<Name, number>();
  const look = () => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const name = names.find((each) => tests[each](textOf(pid, "cmdline").replaceAll("\0", " ")));
      if (name === undefined) continue;
      const peak = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(pid, "status"))?.[1];
      most.set(name, Math.max(most.get(name) ?? 0, Number(peak ?? 0) / 1_024));
    }
  };
  const timer = setInterval(look, EACH_MS);
  return {
    taken: () => {
      const taken = Object.fromEntries(names.map((name) => [name, most.get(name)]));
      most.clear();
      return taken as Record<Name, number | undefined>;
    },
    close: () => clearInterval(timer),
  };
}

/** Returns "" for a process that has ended meanwhile. */
function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
