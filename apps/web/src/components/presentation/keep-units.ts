const NUMBER_AND_UNIT = /(\d) (ms|s|min|h|d|%)(?![\p{L}\d])/gu;
const HOURS_AND_MINUTES = /(\d\u00a0h) (?=\d+\u00a0min)/gu;
const NO_BREAK = "\u00a0";

/** A text in which no line ends between a number and its unit. For showing only: what is copied keeps plain spaces. */
export function keepUnits(text: string): string {
  return text
    .replaceAll(NUMBER_AND_UNIT, `$1${NO_BREAK}$2`)
    .replaceAll(HOURS_AND_MINUTES, `$1${NO_BREAK}`);
}
