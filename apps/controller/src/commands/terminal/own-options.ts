import { type FlagKind, FlagProblem } from "../../flags/kinds.ts";
import { PlainError } from "../../plain-error.ts";

/** The parser of each option of a command. */
export type OwnKinds<Options> = { readonly [Name in keyof Options]: FlagKind<Options[Name]> };

/**
 * Separates a command's own options from the controller's flags, which commander cannot parse (spec/00 §5). `optionOf` finds the
 * option that a word such as `--timeout` names. Throws PlainError.
 */
export function splitOwnOptions<Options>(
  args: readonly string[],
  kinds: OwnKinds<Options>,
  optionOf: ReadonlyMap<string, keyof Options>,
): { readonly options: Partial<Options>; readonly rest: readonly string[] } {
  const options: Partial<Options> = {};
  const rest: string[] = [];
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [name = "", ...value] = word.split("=");
    const option = optionOf.get(name);
    if (option === undefined) rest.push(word);
    else {
      const text = value.length > 0 ? value.join("=") : words.shift();
      options[option] = read(name, kinds[option], text);
    }
  }
  return { options, rest };
}

function read<Value>(name: string, kind: FlagKind<Value>, text: string | undefined): Value {
  if (text === undefined) {
    throw new PlainError(`${name} needs a value: write ${name}=${kind.label}.`);
  }
  try {
    return kind.parse(text);
  } catch (error) {
    if (!(error instanceof FlagProblem)) throw error;
    throw new PlainError(`${name} is "${text}": it ${error.message}.`);
  }
}
