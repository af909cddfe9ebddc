import { readChoices, readText, writeParams } from "./search-params.ts";
import type { UrlCodec } from "./use-url-state.ts";

/** One member of a view as the parameter `name` of its address. */
export interface Param<Value> {
  readonly name: string;
  /** `dropped` is the part of the parameter that is not allowed. */
  readonly read: (text: string | null) => {
    readonly value: Value;
    readonly dropped: readonly string[];
  };
  /** Undefined for the default value, so that the default view has the plain address. */
  readonly write: (value: Value) => string | undefined;
}

/** Builds the codec of a view from its parameters; unknown parameters are dropped. */
export function urlCodec<View extends object>(
  params: {
    readonly [Member in keyof View]: Param<View[Member]>;
  },
): UrlCodec<View> {
  const members = Object.entries(params) as [keyof View & string, Param<View[keyof View]>][];
  const known = members.map(([, { name }]) => name);
  return {
    parse(given) {
      const read = members.map(([member, { name, read: of }]) => ({
        member,
        ...of(given.get(name)),
      }));
      return {
        view: Object.fromEntries(read.map(({ member, value }) => [member, value])) as View,
        dropped: [
          ...read.flatMap(({ dropped }) => dropped),
          ...[...given.keys()].filter((name) => !known.includes(name)),
        ],
      };
    },
    format: (view) =>
      writeParams(
        Object.fromEntries(members.map(([member, { name, write }]) => [name, write(view[member])])),
      ),
  };
}

/** One of several values; `usual` if the address has none. */
export function choiceParam<Value extends string>(
  name: string,
  allowed: readonly Value[],
  usual: NoInfer<Value>,
): Param<Value> {
  const { read, write } = optionalChoiceParam(name, allowed);
  return {
    name,
    read: (text) => {
      const { value = usual, dropped } = read(text);
      return { value, dropped };
    },
    write: (value) => (value === usual ? undefined : write(value)),
  };
}

export function optionalChoiceParam<Value extends string>(
  name: string,
  allowed: readonly Value[],
): Param<Value | undefined> {
  return {
    name,
    read: (text) => {
      const { values, dropped } = readChoices(text, allowed);
      return { value: values[0], dropped };
    },
    write: (value) => value,
  };
}

/** Any text; an empty one is left out. */
export function textParam(name: string): Param<string> {
  return { name, read: (text) => ({ value: text ?? "", dropped: [] }), write: (value) => value };
}

/** A non-empty text that, if given, matches `matches`. */
export function optionalTextParam(name: string, matches?: RegExp): Param<string | undefined> {
  return {
    name,
    read: (text) => {
      const value = readText(text);
      if (value === undefined || matches === undefined || matches.test(value)) {
        return { value, dropped: [] };
      }
      return { value: undefined, dropped: [value] };
    },
    write: (value) => value,
  };
}

/** Some of the allowed values, separated by commas. */
export function choicesParam<Value extends string>(
  name: string,
  allowed: readonly Value[],
): Param<readonly Value[]> {
  return {
    name,
    read: (text) => {
      const { values, dropped } = readChoices(text, allowed);
      return { value: values, dropped };
    },
    write: (values) => values.join(","),
  };
}

/** Any words, separated by commas. */
export function wordsParam(name: string): Param<readonly string[]> {
  return {
    name,
    read: (text) => ({ value: (text ?? "").split(",").filter(Boolean), dropped: [] }),
    write: (words) => words.join(","),
  };
}

/** Whether the parameter has the value `set`; any other value counts as absent. */
export function flagParam(name: string, set: string): Param<boolean> {
  return {
    name,
    read: (text) => ({ value: text === set, dropped: [] }),
    write: (value) => (value ? set : undefined),
  };
}
