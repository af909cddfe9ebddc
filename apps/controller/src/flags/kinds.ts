import { isIP } from "node:net";
import {
  DURATION,
  GUARD,
  RETENTION,
  type SettingKind,
} from "@cloudwright/core/model/settings/setting-kinds";

/** Parses and formats the values of a flag. `parse` throws FlagProblem. */
export interface FlagKind<Value> {
  /** The placeholder for the value in the help. */
  readonly label: string;
  readonly parse: (text: string) => Value;
  /** Formats the value as a user would write it, for the default in the help. */
  readonly format: (value: Value) => string;
  /** The value of the flag when it stands alone; absent if it needs a value. */
  readonly bare?: string;
  /** Combines the values of a repeated flag; absent: the last one counts. */
  readonly merge?: (before: Value, next: Value) => Value;
}

/** Why a text is not a value of its kind, as the end of a sentence that begins with the flag: "must be ...". */
export class FlagProblem extends Error {
  override readonly name = "FlagProblem";
}

export const bool: FlagKind<boolean> = {
  label: "",
  bare: "true",
  parse: (text) => {
    if (["true", "1", "t", "T", "TRUE", "True"].includes(text)) return true;
    if (["false", "0", "f", "F", "FALSE", "False"].includes(text)) return false;
    throw new FlagProblem("must be true or false");
  },
  format: String,
};

export const text: FlagKind<string> = {
  label: "string",
  parse: (value) => value,
  format: (value) => JSON.stringify(value),
};

const LONGEST_WHY = 500;

/** A user's reason, as long as the ledger records it. */
export const why: FlagKind<string> = {
  label: "text",
  parse: (value) => {
    const trimmed = value.trim();
    if (trimmed !== "" && trimmed.length <= LONGEST_WHY) return trimmed;
    throw new FlagProblem(`must have between 1 and ${LONGEST_WHY} characters`);
  },
  format: (value) => value,
};

/** Comma separated; items may be quoted, and repeated flags add up, like Go's string slices. */
export const list: FlagKind<readonly string[]> = {
  label: "strings",
  parse: (value) => (value === "" ? [] : value.split(",").map((item) => unquoted(item.trim()))),
  format: (value) => `[${value.join(",")}]`,
  merge: (before, next) => [...before, ...next],
};

function unquoted(item: string): string {
  return item.replace(/^"(.*)"$/, "$1");
}

/** Comma separated in one text, as upstream parses it: if the flag is repeated, the last one counts. */
export const ranges: FlagKind<readonly string[]> = {
  label: "string",
  parse: list.parse,
  format: list.format,
};

/** One value per flag, repeated for more; commas belong to the value. */
export const repeated: FlagKind<readonly string[]> = {
  label: "string, repeatable",
  parse: (value) => [value],
  format: (value) => `[${value.join(";")}]`,
  merge: (before, next) => [...before, ...next],
};

/** Returns the kind of a setting that can also be changed at runtime: flag and change are parsed alike. */
export function kindOf<Value>(kind: SettingKind<Value>): FlagKind<Value> {
  return {
    label: kind.label,
    parse: (value) => {
      const read = kind.read(value);
      if (read === undefined) throw new FlagProblem(kind.must);
      return read.value;
    },
    format: (value) => kind.format(value),
  };
}

export const duration = kindOf(DURATION);

/** How long something is kept. */
export const retention = kindOf(RETENTION);

/** `--node-deletion-guard`; undefined: off. */
export const deletionGuard = kindOf(GUARD);

export const float: FlagKind<number> = {
  label: "float",
  parse: (value) => {
    const number = Number(value);
    if (value.trim() === "" || !Number.isFinite(number)) throw new FlagProblem("must be a number");
    return number;
  },
  format: String,
};

/** An address to listen on; a blank one, from a template whose variable is empty, means all, as in upstream. */
export const ip: FlagKind<string> = {
  label: "ip",
  parse: (value) => {
    const address = value.trim();
    if (address === "") return "0.0.0.0";
    if (isIP(address) === 0) throw new FlagProblem("must be an IPv4 or IPv6 address");
    return address;
  },
  format: String,
};

const INT32_MAX = 2_147_483_647;

export function int(min = -INT32_MAX - 1, max = INT32_MAX): FlagKind<number> {
  return { label: "int", parse: (value) => parseInteger(value, min, max), format: String };
}

export const integers: FlagKind<readonly number[]> = {
  label: "ints",
  parse: (value) =>
    value === "" ? [] : value.split(",").map((item) => parseInteger(item.trim(), 0, INT32_MAX)),
  format: (value) => `[${value.join(",")}]`,
  merge: (before, next) => [...before, ...next],
};

export function oneOf<const Choice extends string>(choices: readonly Choice[]): FlagKind<Choice> {
  return {
    label: choices.join("|"),
    parse: (value) => {
      const choice = choices.find((candidate) => candidate === value);
      if (choice === undefined) throw new FlagProblem(`must be ${choices.join(" or ")}`);
      return choice;
    },
    format: String,
  };
}

/** `Gate=true,Other=false`; repeated flags add up. */
export const gates: FlagKind<Readonly<Record<string, boolean>>> = {
  label: "Name=true|false,...",
  parse: (value) =>
    Object.fromEntries(
      value
        .split(",")
        .filter((entry) => entry.trim() !== "")
        .map(parseGate),
    ),
  format: (value) =>
    Object.entries(value)
      .map(([name, on]) => `${name}=${on}`)
      .join(","),
  merge: (before, next) => ({ ...before, ...next }),
};

/** Bytes, plain or with Ki, Mi, Gi. */
export const bytes: FlagKind<number> = {
  label: "bytes",
  parse: (value) => {
    const match = /^(\d+)(Ki|Mi|Gi)?$/.exec(value);
    if (match === null)
      throw new FlagProblem("must be a number of bytes such as 268435456 or 256Mi");
    return Number(match[1]) * 1_024 ** ["", "Ki", "Mi", "Gi"].indexOf(match[2] ?? "");
  },
  format: (value) => (value % 1_048_576 === 0 ? `${value / 1_048_576}Mi` : String(value)),
};

function parseGate(entry: string): [string, boolean] {
  const [name = "", value, ...others] = entry.split("=").map((part) => part.trim());
  if (name === "" || value === undefined || others.length > 0) {
    throw new FlagProblem("must be a list such as SomeGate=true,OtherGate=false");
  }
  return [name, bool.parse(value)];
}

function parseInteger(value: string, min: number, max: number): number {
  const number = Number(value);
  if (!/^[+-]?\d+$/.test(value)) throw new FlagProblem("must be a whole number");
  if (number < min || number > max) throw new FlagProblem(rangeText(number, min, max));
  return number;
}

function rangeText(number: number, min: number, max: number): string {
  if (max === INT32_MAX) return number < min ? `must be ${min} or more` : `must be ${max} or less`;
  return `must be between ${min} and ${max}`;
}
