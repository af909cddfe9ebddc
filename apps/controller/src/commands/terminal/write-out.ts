import { PlainError } from "../../plain-error.ts";

/** Writes what a flag says where to write. Throws PlainError when that is no place to write to. */
export function writeOut(flag: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PlainError(
      `${flag} cannot be written (${why}): name a directory that you may write to.`,
      { cause },
    );
  }
}
