import { cpus, totalmem } from "node:os";
import { run } from "../harness/processes.ts";

/** Machine, versions and commit, as one line of Markdown. */
export async function about(): Promise<string> {
  const commit = (await run("git", ["describe", "--always", "--dirty"])).trim();
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, commit ${commit}, Node ${process.versions.node}, ${cpus().length} cores, ${memory} GiB; each cloud call takes 50 ms.`;
}
