import { z } from "zod";

/** Text of a request that PostgreSQL can keep: no NUL and no half of a surrogate pair. */
export function storableText(most: number) {
  return z
    .string()
    .max(most)
    .refine((text) => !text.includes("\0") && text.isWellFormed(), {
      error: "it has a character that cannot be stored",
    });
}
