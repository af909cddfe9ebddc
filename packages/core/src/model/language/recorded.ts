import { quoted } from "./quoted.ts";
import { currentLanguage, englishOf } from "./text.ts";

/**
 * A sentence that is recorded in English, as a function of its values: `([id, state]) => t\`${id} is ${state}\``. A value that is
 * itself a sentence, such as a cloud's answer, is inserted as `answer(value)`.
 */
export type RecordedText = (values: Values, answer: Answer) => string;

/** Translates a sentence that is among the texts, and quotes any other. */
type Answer = (recorded: string) => string;

/** As many values as any sentence has. */
type Values = readonly [string, string, string, string, string];

/**
 * Translates recorded sentences for their reader. Providers' messages and audit entries are stored only in English; they are found
 * among the given texts by their English. Returns undefined in English, and for a sentence that matches none of them.
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

/** A character that occurs in no text, around the name of the value in that place. */
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
