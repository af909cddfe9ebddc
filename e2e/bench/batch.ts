import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Cell, CONTENDERS, cellName, FLAGS, SCENARIOS } from "./cells.ts";

const measuredSchema = z.object({
  cell: z.object({
    scenario: z.enum(SCENARIOS),
    flags: z.enum(FLAGS),
    nodes: z.number(),
    who: z.enum(CONTENDERS),
  }),
  /** The source of the result if this batch did not measure it. */
  source: z.string().optional(),
  runs: z.number().default(1),
  /** Whether the controller counted its own work, so that its times are no measure of speed. */
  counted: z.literal(true).optional(),
  /** Under the baseline's names and ours: `listings`, `steady.listings`, `nodesWithEvent`, `ledgerRuns`. */
  numbers: z.record(z.string(), z.number()),
  spread: z.record(z.string(), z.string()).default({}),
});
const batchSchema = z.object({
  /** Machine, versions and commit, as one line of Markdown. */
  about: z.string(),
  cells: z.array(measuredSchema),
});

export type Measured = z.infer<typeof measuredSchema>;

export interface BatchOptions {
  readonly dir: string;
  /** The name of its file. */
  readonly name: string;
  readonly about: string;
  /** Whether to keep the cells that the file already contains. */
  readonly resume: boolean;
}

/** The cells measured so far, in one file that is rewritten after each, so that nothing is lost. */
export class Batch {
  readonly about: string;
  readonly #file: string;
  #cells: readonly Measured[] = [];

  constructor({ dir, name, about, resume }: BatchOptions) {
    this.about = about;
    this.#file = join(dir, `${name}.json`);
    if (resume && existsSync(this.#file)) this.#cells = readBatch(this.#file).cells;
  }

  get cells(): readonly Measured[] {
    return this.#cells;
  }

  find(cell: Cell): Measured | undefined {
    const name = cellName(cell);
    return this.#cells.find((measured) => cellName(measured.cell) === name);
  }

  keep(measured: Measured): void {
    this.#cells = [...this.#cells, measured];
    writeFileSync(this.#file, JSON.stringify({ about: this.about, cells: this.#cells }, null, 2));
  }
}

/** Reads an earlier batch, or a similar file. Throws with the file's name if it is invalid. */
export function readBatch(file: string): z.infer<typeof batchSchema> {
  const { data, error } = batchSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (data !== undefined) return data;
  throw new Error(`${file} holds no batch of this bench: ${z.prettifyError(error)}`);
}
