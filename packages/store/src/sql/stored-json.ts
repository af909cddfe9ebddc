import { codesWhere, type Facts, type Reason, reasonSchema } from "@cloudwright/core/model/reason";
import type { z } from "zod";

/**
 * Reads a JSON column by its schema. A row that a newer version wrote may hold what this one does not know: then the
 * fallback is shown instead of failing the page.
 */
export function readJson<Output, Fallback>(
  schema: z.ZodType<Output>,
  value: unknown,
  fallback: Fallback,
): Output | Fallback {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : fallback;
}

export function readReason(value: unknown): Reason {
  const known = reasonSchema.safeParse(value);
  if (known.success) return known.data;
  return {
    code: "Unexplained",
    message: `recorded by another version as ${JSON.stringify(value)}`,
  };
}

/** The codes of which something is so, as a list of SQL. */
export function sqlCodes(is: (facts: Facts) => boolean): string {
  return codesWhere(is)
    .map((code) => `'${code}'`)
    .join(", ");
}

/** Milliseconds since the epoch, undefined for null. */
export function readTime(value: Date | null): number | undefined {
  return value === null ? undefined : value.getTime();
}

export function orUndefined<Value>(value: Value | null): Value | undefined {
  return value === null ? undefined : value;
}
