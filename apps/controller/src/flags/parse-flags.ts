import {
  FLAG_NAMES,
  FLAGS,
  type FlagName,
  type FlagValues,
  flagOf,
  isFlagName,
} from "./definitions/all.ts";
import { FlagProblem } from "./kinds.ts";
import { type SplitArguments, splitArguments, type WrittenFlag } from "./split-arguments.ts";

export type ParsedFlags =
  | { readonly kind: "help" }
  | { readonly kind: "version"; readonly raw: boolean }
  /** One sentence each; the process must not start. */
  | { readonly kind: "refused"; readonly problems: readonly string[] }
  | {
      readonly kind: "run";
      readonly values: FlagValues;
      /** The flags given on the command line, in the order of the help. */
      readonly given: readonly FlagName[];
    };

/** Parses a command line and collects every problem; `checkFlags` finds values that contradict each other. */
export function parseFlags(args: readonly string[]): ParsedFlags {
  const split = splitArguments(args, standsAlone);
  const asked = askedFor(split.flags);
  if (asked !== undefined) return asked;
  const { problems, values } = collect(split);
  if (problems.length > 0) return { kind: "refused", problems };
  const given = FLAG_NAMES.filter((name) => Object.hasOwn(values, name));
  return { kind: "run", values: { ...defaults(), ...values } as FlagValues, given };
}

/** Returns the valid values of a command line, with defaults for the rest, so that more than the first problems can be reported. */
export function readableValues(args: readonly string[]): FlagValues {
  const { values } = collect(splitArguments(args, standsAlone));
  return { ...defaults(), ...values } as FlagValues;
}

function collect(split: SplitArguments) {
  // An empty word, from a template whose variable is empty, is not a mistake, as in upstream (spec/00 §5).
  const problems = split.positional
    .filter((word) => word !== "")
    .map(
      (word) =>
        `"${word}" is not a flag: cloudwright controller takes only flags, such as --name=value.`,
    );
  const values: Partial<Record<FlagName, unknown>> = {};
  for (const written of split.flags) {
    const problem = take(written, values);
    if (problem !== undefined) problems.push(problem);
  }
  return { problems, values };
}

/** Every flag at its default. */
export function defaults(): FlagValues {
  return Object.fromEntries(FLAG_NAMES.map((name) => [name, FLAGS[name].initial])) as FlagValues;
}

function standsAlone(name: string): boolean {
  if (name === "help" || name === "version") return true;
  return !isFlagName(name) || flagOf(name).kind.bare !== undefined;
}

function askedFor(flags: SplitArguments["flags"]): ParsedFlags | undefined {
  const wanted = flags.find(
    ({ name, value }) => (name === "help" || name === "version") && value !== "false",
  );
  if (wanted === undefined) return undefined;
  if (wanted.name === "help") return { kind: "help" };
  if (wanted.value === undefined || wanted.value === "true" || wanted.value === "raw") {
    return { kind: "version", raw: wanted.value === "raw" };
  }
  return { kind: "refused", problems: [`--version is "${wanted.value}": it must be true or raw.`] };
}

function take(
  { name, value }: WrittenFlag,
  values: Partial<Record<FlagName, unknown>>,
): string | undefined {
  if (name === "help" || name === "version") return undefined;
  if (!isFlagName(name)) return unknownFlag(name);
  const { kind } = flagOf(name);
  const text = value ?? kind.bare;
  if (text === undefined) return `--${name} needs a value: write --${name}=${kind.label}.`;
  try {
    const next = kind.parse(text);
    const before = values[name];
    values[name] =
      before !== undefined && kind.merge !== undefined ? kind.merge(before, next) : next;
    return undefined;
  } catch (error) {
    if (!(error instanceof FlagProblem)) throw error;
    return `--${name} is "${text}": it ${error.message}.`;
  }
}

function unknownFlag(name: string): string {
  const nearest = nearestName(name, FLAG_NAMES);
  const hint = nearest === undefined ? "see --help" : `did you mean --${nearest}`;
  return `--${name} is not a flag of cloudwright controller: ${hint}${nearest === undefined ? "." : "?"}`;
}

/** Returns the candidate within a few typing errors of a word, or undefined if there is none. */
function nearestName(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 4));
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((left, right) => left.distance - right.distance)[0]?.candidate;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const removed = (previous[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
