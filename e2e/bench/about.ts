import { cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { COMMAND, run } from "../harness/processes.ts";

/** Machine, versions and the commit of the program that is measured, as one line of Markdown. */
export async function about(program = COMMAND): Promise<string> {
  const described = ["-C", dirname(program), "describe", "--always", "--dirty"];
  const commit = (await run("git", described)).trim();
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, commit ${commit}, Node ${process.versions.node}, ${cpus().length} cores, ${memory} GiB; each cloud call takes 50 ms.`;
}
