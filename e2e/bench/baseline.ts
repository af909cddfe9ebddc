import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

/** The median of each number that the baseline's bench prints for one cell. */
export interface Report {
  readonly numbers: Readonly<Record<string, number>>;
  readonly raw: unknown;
}

const reportSchema = z.object({ median: z.record(z.string(), z.number()) });

/** The folder of the baseline that upstream is measured with; throws where it is not. */
export function baselineFolder(): string {
  const folder = process.env.CLOUDWRIGHT_BASELINE ?? join(PROJECT_ROOT, "../shared/baseline");
  if (existsSync(join(folder, "bench/upstream"))) return folder;
  throw new Error("the baseline is not here: set CLOUDWRIGHT_BASELINE to its folder");
}

/** One cell: upstream's own controller, or the command given. */
export async function measure(args: readonly string[], controller?: string): Promise<Report> {
  const command = join(baselineFolder(), "bench/upstream");
  const more = controller === undefined ? [] : ["--controller", controller];
  const raw: unknown = JSON.parse(await run(command, ["run", ...args, ...more]));
  const { median } = reportSchema.parse(raw);
  return { raw, numbers: median };
}
