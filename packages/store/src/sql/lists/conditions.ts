/** Adds a value to a statement and answers its placeholder. */
export type Bind = (value: unknown) => string;

/** What a member of a filter selects, as SQL; undefined where its value selects everything. */
export type Condition<Value> = (value: Value, bind: Bind) => string | undefined;

export type Filters<Filter extends object> = {
  readonly [Name in keyof Filter]-?: Condition<NonNullable<Filter[Name]>>;
};

/** One text for each member of the filter that is given. */
export function selected<Filter extends object>(
  filters: Filters<Filter>,
  filter: Partial<Filter>,
  bind: Bind,
): readonly string[] {
  const values: Readonly<Record<string, unknown>> = { ...filter };
  // That a member's value is what its condition takes is what `Filters` says.
  return Object.entries<Condition<never>>(filters).flatMap(([name, condition]) => {
    const value = values[name];
    return value === undefined ? [] : (condition(value as never, bind) ?? []);
  });
}

export function equals(column: string): Condition<string | number> {
  return (value, bind) => `${column} = ${bind(value)}`;
}

/** One value is compared by `=`, so that the index also gives the order. */
export function anyOf(column: string): Condition<readonly string[]> {
  return (values, bind) => {
    const [only, ...others] = values;
    if (only !== undefined && others.length === 0) return `${column} = ${bind(only)}`;
    return `${column} = ANY(${bind(values)}::text[])`;
  };
}

/** Any of the texts that an array holds. */
export function overlaps(column: string): Condition<readonly string[]> {
  return (values, bind) => `${column} && ${bind(values)}::text[]`;
}

/** Part of a text that is in lower case; an empty one is part of all. */
export function contains(expression: string): Condition<string> {
  return (text, bind) =>
    text === "" ? undefined : `strpos(${expression}, ${bind(text.toLowerCase())}) > 0`;
}

export function from(column: string): Condition<number> {
  return (ms, bind) => `${column} >= ${timeOf(bind(ms))}`;
}

/** The end is not included. */
export function until(column: string): Condition<number> {
  return (ms, bind) => `${column} < ${timeOf(bind(ms))}`;
}

/** `*` stands for anything, all else for itself. */
export function matchesGlob(column: string): Condition<string> {
  return (glob, bind) => {
    if (!glob.includes("*")) return `${column} = ${bind(glob)}`;
    const pattern = literally(glob).replaceAll("*", "%");
    return `${column} LIKE ${bind(pattern)}`;
  };
}

/** What stands for anything in a pattern of LIKE stands for itself. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** An object by `w-9`, `w-*`, or with a namespace `shop/web`. */
export const matchesObject: Condition<string> = (key, bind) => {
  const slash = key.indexOf("/");
  const name = matchesGlob("object_name")(key.slice(slash + 1), bind);
  if (slash < 0) return name;
  return `${name} AND ${matchesGlob("object_namespace")(key.slice(0, slash), bind)}`;
};

/** A moment that a placeholder gives in milliseconds since the epoch. */
export function timeOf(placeholder: string): string {
  return `to_timestamp(${placeholder}::float8 / 1000)`;
}
