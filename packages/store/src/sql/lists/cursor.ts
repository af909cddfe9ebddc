import { createHash } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import { canonicalJson, type Json, parsedJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import { OperationError } from "../../operations/errors.ts";
import { storableText } from "../../text/storable-text.ts";

export type CursorValue = string | number;

/** The type of one value in a cursor. */
export type CursorType = "text" | "timestamp" | "number" | "uuid" | "bigint";

/** What a cursor belongs to: it is refused with any other cluster, filter or sort. */
export interface CursorBinding {
  readonly list: string;
  readonly cluster: string;
  readonly filter: object;
  readonly sort: object;
}

const cursorSchema = z.object({
  binding: z.string(),
  values: z.array(z.union([z.string(), z.number()])),
});

/** Returns the place after a row, as an opaque text for a URL. */
export function encodeCursor(binding: CursorBinding, values: readonly CursorValue[]): string {
  const text = JSON.stringify({ binding: fingerprint(binding), values });
  return Buffer.from(text).toString("base64url");
}

/**
 * Returns the cursor's values, one of each type. Throws OperationError Invalid for a cursor that is damaged or was made for another list:
 * cursors come from clients, and an impossible place must not reach the database.
 */
export function decodeCursor(
  cursor: string,
  binding: CursorBinding,
  types: readonly CursorType[],
): readonly CursorValue[] {
  const parsed = cursorSchema.safeParse(parsedJson(Buffer.from(cursor, "base64url").toString()));
  // First, because the places of another order may have other types.
  if (parsed.success && parsed.data.binding !== fingerprint(binding)) {
    throw new OperationError(
      "Invalid",
      () =>
        t`This page's cursor belongs to another cluster, filter or order: start from the first page.`,
    );
  }
  if (!parsed.success || !areOf(parsed.data.values, types)) {
    throw new OperationError(
      "Invalid",
      () => t`This page's cursor is damaged: start from the first page.`,
    );
  }
  return parsed.data.values;
}

function areOf(values: readonly CursorValue[], types: readonly CursorType[]): boolean {
  return values.length === types.length && types.every((type, at) => IS_OF[type](values[at]));
}

const TIME = { min: -62_135_596_800_000, max: 8_640_000_000_000_000 };
const text = storableText(2_000);

const IS_OF: Readonly<Record<CursorType, (value: unknown) => boolean>> = {
  text: (value) => text.safeParse(value).success,
  number: (value) => Number.isFinite(value),
  timestamp: (value) => typeof value === "number" && value >= TIME.min && value <= TIME.max,
  uuid: (value) => typeof value === "string" && isUuid(value),
  bigint: (value) => /^-?\d{1,18}$/.test(String(value)),
};

function fingerprint(binding: CursorBinding): string {
  // Via JSON text, so that undefined members count as absent.
  const plain = JSON.parse(JSON.stringify(binding)) as Json;
  return createHash("sha256").update(canonicalJson(plain)).digest("base64url").slice(0, 16);
}

const schema = z.guid();

/**
 * Reports whether the text is a UUID. Ids come from URLs; for one that is not a UUID, the database would fail instead of finding nothing.
 */
export function isUuid(text: string): boolean {
  return schema.safeParse(text).success;
}
