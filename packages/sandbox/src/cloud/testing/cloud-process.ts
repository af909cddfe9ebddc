import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { z } from "zod";

const announcementSchema = z.object({ endpoint: z.string(), token: z.string() });
export type Announced = z.infer<typeof announcementSchema>;

/** Starts the sandbox cloud as a process of its own, which can be killed. */
export function startCloudProcess(stateFile: string): ChildProcess {
  const module = new URL("../start-cloud.ts", import.meta.url);
  const code = `import("${module}").then((m) => m.runCloudCommand({ listen: "127.0.0.1:0", stateFile: process.argv[1] }))`;
  const argv = ["--import", "tsx", "--input-type=module", "-e", code, stateFile];
  return spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Resolves to its addresses once it serves. */
export async function announcementOf(child: ChildProcess): Promise<Announced> {
  if (child.stdout === null) {
    throw new Error("The child has no stdout.");
  }
  for await (const line of createInterface({ input: child.stdout })) {
    return announcementSchema.parse(JSON.parse(line));
  }
  throw new Error("The child ended before it was ready.");
}
