import { readFileSync } from "node:fs";
import { isKubeError, type KubeError } from "@cloudwright/core/kube/errors";
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

/** Errors whose message is a whole sentence by contract; any other error is a bug, whose stack is shown. */
const SENTENCES: ReadonlySet<string> = new Set([
  "PlainError",
  "KubeConfigError",
  "KubeError",
  "ProviderLoadError",
  "ProviderError",
  "OperationError",
  "MigrationError",
]);

/** System calls whose failure is about a file that somebody has named. */
const FILE_CALLS: ReadonlySet<string> = new Set([
  ...["open", "read", "write", "mkdir", "mkdtemp", "rename", "unlink", "rm", "rmdir"],
  ...["scandir", "stat", "lstat", "access", "copyfile", "chmod", "chown", "link", "ftruncate"],
]);

/** Runs work whose errors are promised to be one sentence, and shows them without a stack. */
export async function inOneSentence<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const isOfDisk = "syscall" in cause && FILE_CALLS.has(String(cause.syscall));
    if (!isOfDisk && !/^[A-Z].*\.$/s.test(cause.message)) throw cause;
    const sentence = isOfDisk
      ? `A file or folder cannot be used (${cause.message}): name another one, or free it.`
      : cause.message;
    throw new PlainError(sentence, { cause });
  }
}

/** Reads a file that a flag names. Throws PlainError if it cannot be read. */
export function readNamedFile(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const why = messageOf(cause);
    throw new PlainError(`${flag} cannot be read (${why}): check the path.`, { cause });
  }
}

/** Waits for all of the work, then reports every failure at once: throws the only failure, or one PlainError for all of them. */
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

/** If one of them is a bug, returns that one: its stack matters more than the others. */
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

/** Formats an error for the terminal. */
export function errorText(error: unknown): string {
  if (isKubeError(error)) return kubeSentence(error);
  if (isSentence(error)) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return `cloudwright failed: ${String(error)}`;
}

/** Returns an error's fields for a log entry: its sentence, or the whole error if it is a bug. */
export function errorFields(error: unknown): object {
  return isSentence(error) ? { error: error.message } : { err: error };
}

/** The API server's own message is seldom a sentence, and never says what to do. */
function kubeSentence({ code, message }: KubeError): string {
  const why = `(${message.replace(/\.$/, "")})`;
  switch (code) {
    case "Unauthorized":
      return `The API server does not accept the credentials ${why}: check the token or certificate in the kubeconfig.`;
    case "Forbidden":
      return `The API server refuses this ${why}: have this right granted, or use the kubeconfig of somebody who has it.`;
    case "Unavailable":
      return `The API server does not answer ${why}: check that it is running, and its address and certificate authority in the kubeconfig.`;
    default:
      return `The API server could not do what was asked ${why}.`;
  }
}

function isSentence(error: unknown): error is Error {
  return error instanceof Error && SENTENCES.has(error.name);
}

export function exitCodeOf(error: unknown): number {
  return error instanceof PlainError ? error.exitCode : 1;
}
