import { NO_WORD } from "../../views/columns.ts";

/** The words that a column repeats, each kept once. */
export class WordList {
  readonly words: string[] = [];
  readonly #places = new Map<string, number>();

  /** Returns the word's place, where it is put if it is new. */
  placeOf(word: string | null): number {
    if (word === null) return NO_WORD;
    const known = this.#places.get(word);
    if (known !== undefined) return known;
    this.#places.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}
