import {
  boundedText,
  LONGEST_FIELD,
  LONGEST_MESSAGE,
} from "@cloudwright/core/model/values/bounded-text";

/** Plain data that JSON can represent. */
export type Fields = Readonly<Record<string, unknown>>;

const MOST_ITEMS = 100;
const DEEPEST = 8;
/** Credentials are never logged. */
const SECRET: ReadonlySet<string> = new Set(["token", "authorization"]);
/** What a value costs in addition to its text: its name, quotes and commas. */
const COST_OF_VALUE = 8;

/**
 * Limits the fields of one log line: 4 KiB for each text, 64 KiB for the line, 100 members of anything, eight levels; without
 * secrets. Names, ids and messages in them may come from a cloud.
 */
export function boundedFields(fields: object): Fields {
  return new BoundedLine().fields(fields);
}

class BoundedLine {
  #left = LONGEST_FIELD;

  fields(fields: object, depth = 0): Fields {
    const kept: [string, unknown][] = [];
    const entries = Object.entries(fields);
    for (const [name, value] of entries) {
      if (this.#left <= 0 || kept.length >= MOST_ITEMS) break;
      const shownName = this.#text(name);
      kept.push([shownName, SECRET.has(name) ? "…" : this.#value(value, depth + 1)]);
    }
    const omitted = entries.length - kept.length;
    if (omitted > 0) kept.push(["omitted", `${omitted} more fields`]);
    return Object.fromEntries(kept);
  }

  #value(value: unknown, depth: number): unknown {
    this.#left -= COST_OF_VALUE;
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return "…";
    if (Array.isArray(value)) return this.#items(value, depth);
    if (value instanceof Error) return this.fields(errorFields(value), depth);
    return hasOwnJson(value) ? this.#value(value.toJSON(), depth + 1) : this.fields(value, depth);
  }

  #items(items: readonly unknown[], depth: number): unknown[] {
    const kept = items
      .slice(0, MOST_ITEMS)
      .flatMap((item) => (this.#left <= 0 ? [] : [this.#value(item, depth + 1)]));
    const omitted = items.length - kept.length;
    return omitted === 0 ? kept : [...kept, `${omitted} more`];
  }

  #text(text: string): string {
    const kept = boundedText(text, Math.max(0, Math.min(LONGEST_MESSAGE, this.#left)));
    this.#left -= kept.length;
    return kept;
  }
}

/** Such as a date or an address. */
function hasOwnJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** Returns an error's fields with those of its causes, and whatever else it carries. */
function errorFields(error: Error): object {
  const { cause: _cause, ...own }: { readonly cause?: unknown } = error;
  const chain = withCauses(error);
  return {
    type: error.constructor.name,
    message: chain.map(({ message }) => message).join(": "),
    stack: chain.map(({ stack = "" }) => stack).join("\ncaused by: "),
    ...(error instanceof AggregateError ? { aggregateErrors: error.errors } : {}),
    ...own,
  };
}

function withCauses(error: Error): readonly Error[] {
  const chain: Error[] = [];
  let next: unknown = error;
  while (next instanceof Error && chain.length < DEEPEST && !chain.includes(next)) {
    chain.push(next);
    next = next.cause;
  }
  return chain;
}
