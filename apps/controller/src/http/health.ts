/** One named thing that is well or not. */
export interface HealthCheck {
  readonly name: string;
  /** Undefined while it is well, else a sentence for the log; callers from outside are not shown it. */
  check(): string | undefined;
  /** What a verbose answer adds to a check that is well, such as who leads. */
  note?(): string | undefined;
}

export interface HealthAnswer {
  readonly status: 200 | 500;
  readonly body: string;
  /** The failed checks with their sentences. */
  readonly failed: readonly { readonly name: string; readonly problem: string }[];
}

export interface HealthQuestion {
  /** `healthz`, `livez` or `readyz`: upstream's closing line names it. */
  readonly path: string;
  readonly verbose: boolean;
  readonly exclude: readonly string[];
}

/**
 * Upstream's health answer (spec/00 §7): `ok`, or with `verbose` a line a check; a failure is 500 and always verbose, its
 * reason withheld.
 */
export function healthAnswer(
  checks: readonly HealthCheck[],
  { path, verbose, exclude }: HealthQuestion,
): HealthAnswer {
  const results = checks.map((check) => resultOf(check, exclude));
  const failed = results.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [{ name, problem }],
  );
  const lines = [...results.map(({ line }) => line), ...strangers(checks, exclude)];
  if (failed.length > 0) {
    return { status: 500, body: `${lines.join("\n")}\n${path} check failed\n`, failed };
  }
  const body = verbose ? `${lines.join("\n")}\n${path} check passed\n` : "ok";
  return { status: 200, body, failed };
}

interface Result {
  readonly name: string;
  readonly line: string;
  readonly problem: string | undefined;
}

function resultOf(check: HealthCheck, exclude: readonly string[]): Result {
  const { name } = check;
  if (exclude.includes(name)) return { name, line: `[+]${name} excluded: ok`, problem: undefined };
  const problem = check.check();
  if (problem !== undefined) {
    return { name, line: `[-]${name} failed: reason withheld`, problem };
  }
  const note = check.note?.();
  return { name, line: `[+]${name} ok${note === undefined ? "" : ` (${note})`}`, problem };
}

function strangers(checks: readonly HealthCheck[], exclude: readonly string[]): string[] {
  const unknown = exclude.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length === 0) return [];
  const names = unknown.map((name) => `"${name}"`).join(",");
  return [`warn: some health checks cannot be excluded: no matches for ${names}`];
}
