import type { Unread } from "../../views/unread.ts";

export interface PartialInput {
  /** Called for a part that could not be read, and so is empty. Without it nothing may be missing, as in an export. */
  readonly onUnread?: ((part: string, error: unknown) => void) | undefined;
}

interface PartReader<Part extends string> {
  /** Returns `nothing` in place of what cannot be read. */
  readonly part: <Read, Nothing>(
    name: Part,
    reading: Promise<Read>,
    nothing: Nothing,
  ) => Promise<Read | Nothing>;
  /** Returns the answer with the names of its missing parts. Call it when all parts have been read. */
  readonly naming: <Answer extends object>(answer: Answer) => Answer & Unread<Part>;
}

/** Reads the optional parts of an answer: an on-call user must learn what is known even while another part cannot be read. */
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
