import { readFileSync } from "node:fs";
import { messageOf } from "@cloudwright/core/model/values/message-of";

/** A failure whose message is one sentence for the user at the terminal; no stack is shown. */
export class PlainError extends Error {
  override readonly name = "PlainError";
  readonly exitCode: number;

  constructor(
    message: string,
    options: { readonly exitCode?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}

/** Errors whose message is a whole sentence by contract; whatever else arrives is a bug and shows its stack. */
const SENTENCES: ReadonlySet<string> = new Set([
  "PlainError",
  "KubeConfigError",
  "KubeError",
  "ProviderLoadError",
  "ProviderError",
  "OperationError",
  "MigrationError",
]);

/** A failure of a part that promises errors of one sentence: shown as such, without a stack. */
export async function inOneSentence<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof Error) || !/^[A-Z].*\.$/s.test(cause.message)) throw cause;
    throw new PlainError(cause.message, { cause });
  }
}

/** The text of a file that a flag names. Throws PlainError for one that cannot be read. */
export function readNamedFile(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const why = messageOf(cause);
    throw new PlainError(`${flag} cannot be read (${why}): check the path.`, { cause });
  }
}

/** Does all of the work, and reports everything that failed at once. Throws the one failure, or a PlainError of all. */
export async function allTogether<const Work extends readonly Promise<unknown>[]>(
  work: Work,
): Promise<{ -readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const settled = await Promise.allSettled(work);
  const failures = settled.flatMap((each): readonly unknown[] =>
    each.status === "rejected" ? [each.reason] : [],
  );
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : inOneError(failures);
  return Promise.all(work);
}

/** A bug among them is reported as such: its stack matters more than the rest. */
function inOneError(failures: readonly unknown[]): unknown {
  const bug = failures.find((failure) => !isSentence(failure));
  if (bug !== undefined) return bug;
  const codes = new Set(failures.map(exitCodeOf));
  const [code = 1] = codes;
  return new PlainError(failures.map(errorText).join("\n"), {
    exitCode: codes.size === 1 ? code : 1,
    cause: failures[0],
  });
}

/** What the terminal shows of an error. */
export function errorText(error: unknown): string {
  if (isSentence(error)) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return `cloudwright failed: ${String(error)}`;
}

/** What a log entry holds of an error: its sentence, or all of what is a bug. */
export function errorFields(error: unknown): object {
  return isSentence(error) ? { error: error.message } : { err: error };
}

function isSentence(error: unknown): error is Error {
  return error instanceof Error && SENTENCES.has(error.name);
}

export function exitCodeOf(error: unknown): number {
  return error instanceof PlainError ? error.exitCode : 1;
}
