import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Kills a child after it has printed this many ids, in the middle of its work, and returns the ids that it had printed. */
export async function appendUntilKilled(
  args: readonly string[],
  count: number,
): Promise<readonly string[]> {
  const program = fileURLToPath(new URL("append-forever.ts", import.meta.url));
  const child = fork(program, [...args], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ids: string[] = [];
  child.on("message", (id) => {
    ids.push(String(id));
    if (ids.length === count) child.kill("SIGKILL");
  });
  await once(child, "exit");
  return ids;
}
