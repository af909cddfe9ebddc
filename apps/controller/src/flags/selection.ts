/** What a list such as `--controllers` says of one thing: the first exact mention, wherever `*` stands (spec/00 §4). */
export function isSelected(list: readonly string[], thing: SelectableThing): boolean {
  const mention = list.find((word) => word !== EVERYTHING && thing.isMeantBy(unprefixed(word)));
  if (mention !== undefined) return !mention.startsWith("-");
  return list.includes(EVERYTHING) && thing.isOnByDefault;
}

export interface SelectableThing {
  /** Whether a word without its `-` names it. */
  isMeantBy(word: string): boolean;
  /** Whether `*` turns it on. */
  readonly isOnByDefault: boolean;
}

/** The words of a list, without their `-`, but for `*`. */
export function wordsOf(list: readonly string[]): readonly string[] {
  return list.filter((word) => word !== EVERYTHING).map(unprefixed);
}

const EVERYTHING = "*";

function unprefixed(word: string): string {
  return word.replace(/^-/, "");
}
