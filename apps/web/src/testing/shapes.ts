/** Reports whether a status has a shape beside its word: the usual one in a list has none. */
export function hasShape(word: Element): boolean {
  return word.parentElement !== null && word.parentElement.querySelector("svg") !== null;
}
