import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

const callsSchema = z.record(z.string(), z.object({ ok: z.number().default(0) }));
export const reportSchema = z.object({
  median: z.record(z.string(), z.number()),
  spread: z.record(z.string(), z.string()).default({}),
  runs: z.array(z.object({ cloudCalls: z.record(z.string(), callsSchema).default({}) })),
});

/** The results of the baseline's program: the median of each number, its range over the runs, cloud calls by phase. */
export type Report = z.infer<typeof reportSchema> & { readonly raw: unknown };

/** Returns the folder of the baseline that measures upstream; throws if it is missing. */
export function baselineFolder(): string {
  const folder = process.env.CLOUDWRIGHT_BASELINE ?? join(PROJECT_ROOT, "../shared/baseline");
  if (existsSync(join(folder, "bench/upstream"))) return folder;
  throw new Error("the baseline is not here: set CLOUDWRIGHT_BASELINE to its folder");
}

/** Measures one cell with upstream's own controller, or with the given command. */
export async function measure(args: readonly string[], controller?: string): Promise<Report> {
  const command = join(baselineFolder(), "bench/upstream");
  const more = controller === undefined ? [] : ["--controller", controller];
  const raw: unknown = JSON.parse(await run(command, ["run", ...args, ...more]));
  return { ...reportSchema.parse(raw), raw };
}

/** Returns the median over the runs of how many calls of an operation were answered in this phase. */
export function answeredCalls({ runs }: Report, phase: string, operation: string): number {
  const counts = runs
    .map(({ cloudCalls }) => cloudCalls[phase]?.[operation]?.ok ?? 0)
    .sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}
