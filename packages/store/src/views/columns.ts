/** Stands for a value that is absent. */
export const NO_WORD = -1;

/** Returns the word at a place, or undefined for `NO_WORD`. */
export function wordAt(words: readonly string[], place: number = NO_WORD): string | undefined {
  return words[place];
}
