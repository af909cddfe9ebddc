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
  /** Every check that was asked, the failed ones with their sentences; excluded ones were not. */
  readonly asked: readonly { readonly name: string; readonly problem: string | undefined }[];
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
  const asked = results.filter(({ isAsked }) => isAsked);
  const lines = [...results.map(({ line }) => line), ...foreign(checks, exclude)];
  if (asked.some(({ problem }) => problem !== undefined)) {
    return { status: 500, body: `${lines.join("\n")}\n${path} check failed\n`, asked };
  }
  const body = verbose ? `${lines.join("\n")}\n${path} check passed\n` : "ok";
  return { status: 200, body, asked };
}

interface Result {
  readonly name: string;
  readonly isAsked: boolean;
  readonly line: string;
  readonly problem: string | undefined;
}

function resultOf(check: HealthCheck, exclude: readonly string[]): Result {
  const { name } = check;
  if (exclude.includes(name)) {
    return { name, isAsked: false, line: `[+]${name} excluded: ok`, problem: undefined };
  }
  const problem = check.check();
  return { name, isAsked: true, line: lineOf(check, problem), problem };
}

function lineOf(check: HealthCheck, problem: string | undefined): string {
  if (problem !== undefined) return `[-]${check.name} failed: reason withheld`;
  const said = check.note?.();
  return `[+]${check.name} ok${said === undefined ? "" : ` (${said})`}`;
}

function foreign(checks: readonly HealthCheck[], exclude: readonly string[]): string[] {
  const unknown = exclude.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length === 0) return [];
  const names = unknown.map((name) => `"${name}"`).join(",");
  return [`warn: some health checks cannot be excluded: no matches for ${names}`];
}
