import { messageOf } from "./wait.ts";

/** The result of a row in a suite. */
export interface Verdict {
  readonly id: string;
  readonly kind: "pass" | "fail" | "skip";
  /** One line: what holds, what was seen instead, or why it could not be tested. */
  readonly why: string;
}

/** Prints the line of a row. */
export function report({ id, kind, why }: Verdict): void {
  console.log(`${id} ${kind} ${why}`);
}

/** Prints the failed rows again, then the counts. The process exits with 1 if a row failed, or was skipped although REQUIRE_REAL=1. */
export function summarise(verdicts: readonly Verdict[]): void {
  for (const { id, kind, why } of verdicts)
    if (kind === "fail") console.log(`failed: ${id} ${why}`);
  const count = (kind: Verdict["kind"]) => verdicts.filter((each) => each.kind === kind).length;
  const skipped = count("skip");
  console.log(
    `${count("pass")} passed, ${count("fail")} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`,
  );
  const mustBeReal = process.env.REQUIRE_REAL === "1" && skipped > 0;
  process.exitCode = count("fail") > 0 || mustBeReal ? 1 : 0;
}

/** Thrown by a row that cannot run here; its message says why. */
export class Skip extends Error {}

/** A row of a suite whose rows share an environment. */
export interface SuiteRow<Env> {
  readonly id: string;
  readonly title: string;
  /** Returns what was measured. Throws with what was seen instead, or `Skip`. */
  run(env: Env): Promise<unknown>;
}

/** Runs a row and prints its line, with the duration. */
export async function judgeRow<Env>(row: SuiteRow<Env>, env: Env): Promise<Verdict> {
  const began = Date.now();
  const { kind, why } = await attempt(row, env);
  const line = `${why} (${seconds(Date.now() - began)})`.replaceAll(/\s+/g, " ");
  const verdict = { id: row.id, kind, why: line };
  report(verdict);
  return verdict;
}

async function attempt<Env>({ title, run }: SuiteRow<Env>, env: Env) {
  try {
    const found = await run(env);
    const more = typeof found === "string" ? `: ${found}` : "";
    return { kind: "pass" as const, why: `${title}${more}` };
  } catch (error) {
    const kind = error instanceof Skip ? ("skip" as const) : ("fail" as const);
    return { kind, why: `${title}: ${messageOf(error)}` };
  }
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
