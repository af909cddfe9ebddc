import { describe, expect, it } from "vitest";
import { z } from "zod";
import { issueText } from "./issue-text.ts";

describe("what is wrong with a parameter ends its sentence", () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.number().min(1), 0, "must be 1 or more"],
    [z.number().positive(), 0, "must be more than 0"],
    [z.number().max(200), 201, "must be 200 or less"],
    [z.string().min(8), "abc", "must have at least 8 characters"],
    [z.string().min(1), "", "must have at least 1 character"],
    [z.string().max(200), "x".repeat(201), "must have at most 200 characters"],
    [z.array(z.string()).max(20), new Array(21).fill("x"), "may be given at most 20 times"],
    [z.uuid(), "x", "must be a UUID"],
    [
      z.string().refine(() => false, "It has a character that cannot be stored"),
      "x",
      "is not valid: it has a character that cannot be stored",
    ],
  ])("%#", (schema, value, text) => {
    expect(issueText(schema.safeParse(value).error?.issues[0])).toBe(text);
  });
});
