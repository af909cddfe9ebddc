import { invalidConfig } from "./invalid-config.ts";

/** One line `key = value` of a section. */
export interface IniEntry {
  /** In lower case, as keys are case-insensitive. */
  readonly key: string;
  /** Undefined for a key without a value. */
  readonly value: string | undefined;
  readonly line: number;
}

export interface IniSection {
  /** As written; section names are case-insensitive. */
  readonly name: string;
  /** From `[name "subsection"]`. */
  readonly subsection: string | undefined;
  readonly entries: readonly IniEntry[];
}

/**
 * Parses the INI dialect of upstream's cloud.conf, which is that of git-config: parts of a value may be quoted, `#` and `;` begin
 * a comment outside quotes, and a backslash at the end of a line continues it. Throws ProviderError `Invalid` with the line's
 * number, never its text.
 */
export function parseIni(text: string, file: string): readonly IniSection[] {
  const sections: { name: string; subsection: string | undefined; entries: IniEntry[] }[] = [];
  for (const { content, line } of logicalLines(text)) {
    const fail = (problem: string) => {
      throw invalidConfig(`Line ${line} of ${file} cannot be read: ${problem}.`);
    };
    const source = content.trimStart();
    if (source === "" || isComment(source[0])) continue;
    if (source.startsWith("[")) {
      sections.push({ ...(headerOf(source) ?? fail(HEADER)), entries: [] });
      continue;
    }
    const entry = entryOf(source, line) ?? fail(ENTRY);
    const section = sections.at(-1) ?? fail("an option comes before the first [section]");
    section.entries.push(entry);
  }
  return sections;
}

const HEADER = 'a section is written [Name] or [Name "name"]';
const ENTRY = "an option is written key = value, with quotes in pairs and a backslash escaped";
const SECTION = /^\[\s*([A-Za-z][A-Za-z0-9.-]*)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(?:[#;].*)?$/;
const KEY = /^([A-Za-z][A-Za-z0-9_-]*)\s*/;

function headerOf(source: string): Omit<IniSection, "entries"> | undefined {
  const [, name, quoted] = SECTION.exec(source) ?? [];
  if (name === undefined) return undefined;
  return { name, subsection: quoted?.replace(/\\(.)/g, "$1") };
}

function entryOf(source: string, line: number): IniEntry | undefined {
  const [whole, name] = KEY.exec(source) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const key = name.toLowerCase();
  const rest = source.slice(whole.length);
  if (rest === "" || isComment(rest[0])) return { key, value: undefined, line };
  if (!rest.startsWith("=")) return undefined;
  const value = unquoted(rest.slice(1).trimStart());
  return value === undefined ? undefined : { key, value, line };
}

/** A quoted or an unquoted piece; `#`, `;` and a quote without its pair match neither. */
const PIECE = /"((?:[^"\\]|\\.)*)"|((?:[^"\\#;]|\\.)+)/gsy;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: "\n", t: "\t", b: "\b" },
  ...{ '"': '"', "\\": "\\" },
};

/** Removes quotes and the comment, and trailing space outside quotes. Returns undefined for an incomplete value. */
function unquoted(source: string): string | undefined {
  const pieces = [...source.matchAll(PIECE)];
  const end = pieces.map(([whole]) => whole).join("").length;
  if (end < source.length && !isComment(source[end])) return undefined;
  const texts = pieces.map(([, quoted, plain], index) =>
    unescaped(quoted ?? (index === pieces.length - 1 ? plain?.trimEnd() : plain) ?? ""),
  );
  return texts.includes(undefined) ? undefined : texts.join("");
}

function unescaped(piece: string): string | undefined {
  const escapes = piece.match(/\\./gs) ?? [];
  if (!escapes.every(([, letter = ""]) => Object.hasOwn(ESCAPES, letter))) return undefined;
  return piece.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? "");
}

function* logicalLines(text: string): Generator<{ content: string; line: number }> {
  let held = "";
  let begun = 1;
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    if (held === "") begun = index + 1;
    const whole = held + content;
    held = isContinued(whole) ? whole.slice(0, -1) : "";
    if (held === "") yield { content: whole, line: begun };
  }
  if (held !== "") yield { content: held, line: begun };
}

/** An odd number of backslashes at the end continues a line; a comment is not continued. */
function isContinued(line: string): boolean {
  if (isComment(line.trimStart()[0])) return false;
  return (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1;
}

function isComment(char: string | undefined): boolean {
  return char === "#" || char === ";";
}
