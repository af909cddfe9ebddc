import type { Json } from "@cloudwright/core/model/values/json";

/**
 * The text that PostgreSQL gives for a jsonb value: members by the length of their names in UTF-8, then by their bytes; a
 * blank after each comma and colon; numbers without exponents. Takes what jsonb can hold: no NUL, no half surrogates.
 */
export function jsonbText(value: Json | undefined): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "number") return numberText(value);
  if (typeof value !== "object") return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(jsonbText).join(", ")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => ({ name: Buffer.from(name), member }))
    .toSorted((left, right) => byLengthAndBytes(left.name, right.name))
    .map(({ name, member }) => `${JSON.stringify(name.toString())}: ${jsonbText(member)}`);
  return `{${members.join(", ")}}`;
}

function byLengthAndBytes(left: Buffer, right: Buffer): number {
  return left.length - right.length || left.compare(right);
}

/** JavaScript writes 1e21 and 1e-7 with exponents, PostgreSQL's numeric never does. */
function numberText(value: number): string {
  const text = JSON.stringify(value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign = "", first = "", rest = "", exponentText = "0"] = parts;
  const exponent = Number(exponentText);
  if (exponent > 0) return `${sign}${first}${rest.padEnd(exponent, "0")}`;
  return `${sign}0.${"0".repeat(-exponent - 1)}${first}${rest}`;
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
