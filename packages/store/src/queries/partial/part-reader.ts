import type { Unread } from "../../views/unread.ts";

export interface PartialInput {
  /** Notified of a part that could not be read, and so is empty. Without it nothing may be missing, as in a file. */
  readonly onUnread?: ((part: string, error: unknown) => void) | undefined;
}

interface PartReader<Part extends string> {
  /** `nothing` stands for what cannot be read. */
  readonly part: <Read, Nothing>(
    name: Part,
    reading: Promise<Read>,
    nothing: Nothing,
  ) => Promise<Read | Nothing>;
  /** The answer, with the names of what it lacks. To be called when all of its parts have been read. */
  readonly naming: <Answer extends object>(answer: Answer) => Answer & Unread<Part>;
}

/** Reads what an answer can do without: somebody who was woken must learn what is known, also while something beside it cannot be read. */
export function partReader<Part extends string>({ onUnread }: PartialInput): PartReader<Part> {
  const unread: Part[] = [];
  return {
    part: (name, reading, nothing) =>
      onUnread === undefined
        ? reading
        : reading.catch((error: unknown) => {
            unread.push(name);
            onUnread(name, error);
            return nothing;
          }),
    naming: (answer) => (unread.length === 0 ? answer : { ...answer, unread }),
  };
}
