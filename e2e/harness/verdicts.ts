/** What became of a row of a suite. */
export interface Verdict {
  readonly id: string;
  readonly kind: "pass" | "fail" | "skip";
  /** One line: what holds, what was seen instead, or why it could not be tried. */
  readonly why: string;
}

/** The line of a row. */
export function report({ id, kind, why }: Verdict): void {
  console.log(`${id} ${kind} ${why}`);
}

/** Those that failed once more, then the counts. The process ends with 1 when one failed, or was skipped although REQUIRE_REAL=1. */
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
