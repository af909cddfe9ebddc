import { quoted } from "./quoted.ts";
import { currentLanguage, englishOf } from "./text.ts";

/**
 * A sentence that is recorded in English, by what it names: `([id, state]) => t\`${id} is ${state}\``. A value that is a sentence
 * itself, such as what a cloud answered, stands in it as `answer(value)`.
 */
export type RecordedText = (values: Values, answer: Answer) => string;

/** In its reader's language where it is among the texts, else quoted. */
type Answer = (recorded: string) => string;

/** As many as any sentence names. */
type Values = readonly [string, string, string, string, string];

/**
 * Says recorded sentences in their reader's language. What providers say, and what audit entries say, is kept in English alone; it
 * is found again among the given texts by its English. Undefined in English, and for what none of them says.
 */
export function recordedTexts(
  texts: readonly RecordedText[],
): (recorded: string) => string | undefined {
  let readers: readonly Reader[] | undefined;
  const said = (recorded: string): string | undefined => {
    if (currentLanguage() === "en") return undefined;
    readers ??= texts.map(readerOf);
    for (const { pattern, text } of readers) {
      const found = pattern.exec(recorded);
      if (found !== null)
        return text(
          valuesOf((name) => found.groups?.[name] ?? ""),
          answer,
        );
    }
    return undefined;
  };
  const answer: Answer = (recorded) => said(recorded) ?? quoted(recorded);
  return said;
}

interface Reader {
  readonly pattern: RegExp;
  readonly text: RecordedText;
}

/** A character of no text, round the name of the value that stands there. */
const MARK = "\ue000";
const MARKED = new RegExp(`${MARK}(\\w+)${MARK}`);

function readerOf(text: RecordedText): Reader {
  const english = englishOf(() =>
    text(
      valuesOf((name) => `${MARK}${name}${MARK}`),
      (value) => value,
    ),
  );
  const source = english
    .split(MARKED)
    .map((part, at) => (at % 2 === 0 ? literally(part) : `(?<${part}>.+?)`))
    .join("");
  return { pattern: new RegExp(`^${source}$`, "s"), text };
}

function valuesOf(value: (name: string) => string): Values {
  return [value("v0"), value("v1"), value("v2"), value("v3"), value("v4")];
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
