import { type FlagKind, FlagProblem } from "../../flags/kinds.ts";
import { PlainError } from "../../plain-error.ts";

/** How each option of a command is read. */
export type OwnKinds<Options> = { readonly [Name in keyof Options]: FlagKind<Options[Name]> };

/**
 * Takes a command's own options out of a command line whose rest are the controller's flags, which commander cannot read (spec/00 §5).
 * `optionOf`: which option a word such as `--timeout` names. Throws PlainError.
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
