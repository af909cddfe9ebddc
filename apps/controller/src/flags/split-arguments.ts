/** One flag as written; `value` is undefined if it stood alone. */
export interface WrittenFlag {
  readonly name: string;
  readonly value: string | undefined;
}

export interface SplitArguments {
  readonly flags: readonly WrittenFlag[];
  readonly positional: readonly string[];
}

const SHORT: Readonly<Record<string, string>> = { v: "v", h: "help" };

/**
 * Splits a command line as Go's pflag does: `--name=value`, `--name value` unless `standsAlone(name)`, `-v4`, `--` ends the
 * flags, and `_` in a name is `-` (spec/00 §5).
 */
export function splitArguments(
  args: readonly string[],
  standsAlone: (name: string) => boolean,
): SplitArguments {
  const flags: WrittenFlag[] = [];
  const positional: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      positional.push(...rest.splice(0));
    } else if (isFlag(word)) {
      const written = asFlag(word);
      const takesNext = written.value === undefined && !standsAlone(written.name);
      flags.push(takesNext ? { name: written.name, value: rest.shift() } : written);
    } else {
      positional.push(word);
    }
  }
  return { flags, positional };
}

function isFlag(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

function asFlag(word: string): WrittenFlag {
  if (!word.startsWith("--")) return asShortFlag(word);
  const [name = "", ...value] = word.slice(2).split("=");
  return {
    name: name.replaceAll("_", "-"),
    value: value.length === 0 ? undefined : value.join("="),
  };
}

function asShortFlag(word: string): WrittenFlag {
  const letter = word.charAt(1);
  const value = word.slice(2).replace(/^=/, "");
  const name = SHORT[letter];
  if (name === undefined) return { name: word.replace(/^-/, ""), value: undefined };
  return { name, value: value === "" ? undefined : value };
}
