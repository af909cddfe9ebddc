import { z } from "zod";

/** Returns a schema for request text that PostgreSQL can store: no NUL and no lone surrogate. */
export function storableText(most: number) {
  return z
    .string()
    .max(most)
    .refine((text) => !text.includes("\0") && text.isWellFormed(), {
      error: "it has a character that cannot be stored",
    });
}
