/** Adds a value to a statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The SQL condition for a member of a filter; undefined when its value selects everything. */
export type Condition<Value> = (value: Value, bind: Bind) => string | undefined;

export type Filters<Filter extends object> = {
  readonly [Name in keyof Filter]-?: Condition<NonNullable<Filter[Name]>>;
};

/** Returns one SQL condition for each given member of the filter. */
export function selected<Filter extends object>(
  filters: Filters<Filter>,
  filter: Partial<Filter>,
  bind: Bind,
): readonly string[] {
  const values: Readonly<Record<string, unknown>> = { ...filter };
  // `Filters` guarantees that each member's value fits its condition.
  return Object.entries<Condition<never>>(filters).flatMap(([name, condition]) => {
    const value = values[name];
    return value === undefined ? [] : (condition(value as never, bind) ?? []);
  });
}

export function equals(column: string): Condition<string | number> {
  return (value, bind) => `${column} = ${bind(value)}`;
}

/** A single value is compared by `=`, so that the index also gives the order. */
export function anyOf(column: string): Condition<readonly string[]> {
  return (values, bind) => {
    const [only, ...others] = values;
    if (only !== undefined && others.length === 0) return `${column} = ${bind(only)}`;
    return `${column} = ANY(${bind(values)}::text[])`;
  };
}

/** Selects arrays that contain any of the texts. */
export function overlaps(column: string): Condition<readonly string[]> {
  return (values, bind) => `${column} && ${bind(values)}::text[]`;
}

/** Selects by part of a lower-case text; an empty part selects everything. */
export function contains(expression: string): Condition<string> {
  return (text, bind) =>
    text === "" ? undefined : `strpos(${expression}, ${bind(text.toLowerCase())}) > 0`;
}

export function from(column: string): Condition<number> {
  return (ms, bind) => `${column} >= ${timeOf(bind(ms))}`;
}

/** The end is exclusive. */
export function until(column: string): Condition<number> {
  return (ms, bind) => `${column} < ${timeOf(bind(ms))}`;
}

/** `*` matches anything; everything else is literal. */
export function matchesGlob(column: string): Condition<string> {
  return (glob, bind) => {
    if (!glob.includes("*")) return `${column} = ${bind(glob)}`;
    const pattern = literally(glob).replaceAll("*", "%");
    return `${column} LIKE ${bind(pattern)}`;
  };
}

/** Escapes the wildcards of LIKE. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** Selects an object by `w-9`, `w-*`, or with a namespace `shop/web`. */
export const matchesObject: Condition<string> = (key, bind) => {
  const slash = key.indexOf("/");
  const name = matchesGlob("object_name")(key.slice(slash + 1), bind);
  if (slash < 0) return name;
  return `${name} AND ${matchesGlob("object_namespace")(key.slice(0, slash), bind)}`;
};

/** Returns SQL for a placeholder with milliseconds since the epoch. */
export function timeOf(placeholder: string): string {
  return `to_timestamp(${placeholder}::float8 / 1000)`;
}
