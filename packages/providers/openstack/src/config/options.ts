import type { IniEntry } from "./ini.ts";
import { invalidConfig } from "./invalid-config.ts";

/** Parses an option from all lines that set it; for a single value, the last line counts. */
export interface Option<T> {
  /** Throws BadValue. */
  read(values: readonly (string | undefined)[]): T;
}

/** Describes what is wrong with a value, without the value. */
class BadValue extends Error {}

/** The options of a section, by their names in the file. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** A section's values, under the options' names in camel case. */
export type Values<O extends Options> = {
  readonly [Name in keyof O & string as Camel<Name>]: O[Name] extends Option<infer T> ? T : never;
};

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export interface SectionText {
  /** `[LoadBalancer]`, for messages. */
  readonly title: string;
  readonly file: string;
  readonly entries: readonly IniEntry[];
}

/** Reads the values of a section. Throws ProviderError `Invalid` for the first value of the wrong type. */
export function readSection<O extends Options>(options: O, section: SectionText): Values<O> {
  const values = Object.entries(options).map(([name, option]) => {
    const lines = section.entries.filter(({ key }) => key === name);
    return [camelCase(name), readOption(option, { name, lines, section })] as const;
  });
  return Object.fromEntries(values) as Values<O>;
}

function readOption(
  option: Option<unknown>,
  { name, lines, section }: { name: string; lines: readonly IniEntry[]; section: SectionText },
): unknown {
  try {
    return option.read(lines.map(({ value }) => value));
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    const { title, file } = section;
    const line = lines.at(-1)?.line;
    throw invalidConfig(
      `The option ${name} in ${title} of ${file} (line ${line}) is not valid: ${error.message}.`,
      `${title} ${name}`,
    );
  }
}

/** Returns the names in a section that are not options of it. */
export function unknownOptions(options: Options, { entries }: SectionText): readonly string[] {
  return [...new Set(entries.map(({ key }) => key))].filter((key) => !Object.hasOwn(options, key));
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** An empty value counts as none. */
export const text: Option<string | undefined> = {
  read: (values) => lastOf(values, "text") || undefined,
};

export function textOr(otherwise: string): Option<string> {
  return { read: (values) => text.read(values) ?? otherwise };
}

/** Each line adds one. */
export const list: Option<readonly string[]> = {
  read: (values) => values.filter((value) => value !== undefined && value !== "") as string[],
};

/** Comma-separated parts of one line. */
export const commaList: Option<readonly string[]> = {
  read: (values) =>
    (lastOf(values, "text") ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);

/** A key without a value is true. */
export function boolean(otherwise: boolean): Option<boolean> {
  return {
    read: (values) => {
      if (values.length === 0) return otherwise;
      const value = BOOLEANS.get((values.at(-1) ?? "true").toLowerCase());
      if (value === undefined) throw new BadValue("it must be true or false");
      return value;
    },
  };
}

export function integer(
  otherwise: number,
  [least, most]: readonly [number, number],
): Option<number> {
  return {
    read: (values) => {
      const value = lastOf(values, "a whole number");
      if (value === undefined) return otherwise;
      const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= least && number <= most) return number;
      throw new BadValue(`it must be a whole number from ${least} to ${most}`);
    },
  };
}

/** A Go duration, converted to milliseconds; a number without a unit is refused. */
export function duration(otherwiseMs: number): Option<number> {
  return {
    read: (values) => {
      const value = lastOf(values, "a duration");
      if (value === undefined) return otherwiseMs;
      const ms = parseGoDuration(value);
      if (ms === undefined) throw new BadValue("it must be a duration with its unit, such as 5s");
      return ms;
    },
  };
}

export function oneOf<const T extends string, Otherwise extends T | undefined>(
  words: readonly T[],
  otherwise: Otherwise,
): Option<T | Otherwise> {
  return {
    read: (values) => {
      const value = lastOf(values, "text");
      if (value === undefined || value === "") return otherwise;
      const word = words.find((each) => each === value);
      if (word === undefined) throw new BadValue(`it must be one of ${words.join(", ")}`);
      return word;
    },
  };
}

/** An http or https URL, without trailing slashes. */
export const httpUrl: Option<string | undefined> = {
  read: (values) => {
    const value = text.read(values);
    if (value === undefined) return undefined;
    if (!isHttpUrl(value)) throw new BadValue("it must be an http or https URL");
    return value.replace(/\/+$/, "");
  },
};

export function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function lastOf(values: readonly (string | undefined)[], kind: string): string | undefined {
  if (values.length === 0) return undefined;
  const value = values.at(-1);
  if (value === undefined) throw new BadValue(`it needs a value, ${kind}, after an equals sign`);
  return value;
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1 },
  ...{ s: 1_000, m: 60_000, h: 3_600_000 },
};
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

function parseGoDuration(value: string): number | undefined {
  const parts = [...value.matchAll(PART)];
  if (value === "" || parts.map(([whole]) => whole).join("") !== value) return undefined;
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0),
    0,
  );
}
