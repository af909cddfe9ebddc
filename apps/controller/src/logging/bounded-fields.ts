import {
  boundedText,
  LONGEST_FIELD,
  LONGEST_MESSAGE,
} from "@cloudwright/core/model/values/bounded-text";
import pino from "pino";

type Fields = Record<string, unknown>;

const MOST_ITEMS = 100;
const DEEPEST = 8;
/** No line says what proves somebody's identity. */
const SECRET: ReadonlySet<string> = new Set(["token", "authorization"]);
/** What a value costs besides its text: its name, quotes and commas. */
const COST_OF_VALUE = 8;

/**
 * The fields of one log line within bounds: 4 KiB a text, 64 KiB a line, 100 members of anything, eight levels; without secrets. Names, ids and
 * messages in them may be of a cloud's making.
 */
export function boundedFields(fields: Fields): Fields {
  return new BoundedLine().fields(fields);
}

class BoundedLine {
  #left = LONGEST_FIELD;

  fields(fields: Fields, depth = 0): Fields {
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
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return "…";
    if (Array.isArray(value)) return this.#items(value, depth);
    if (value instanceof Error) return this.fields({ ...pino.stdSerializers.err(value) }, depth);
    return isPlain(value) ? this.fields(value, depth) : value;
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

function isPlain(value: object): value is Fields {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
