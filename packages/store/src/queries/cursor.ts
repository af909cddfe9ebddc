import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "@cloudwright/core/model/json";
import { z } from "zod";
import { OperationError } from "../errors.ts";

export type CursorValue = string | number;

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

/** The place after a row, as an opaque text for a URL. */
export function encodeCursor(binding: CursorBinding, values: readonly CursorValue[]): string {
  const text = JSON.stringify({ binding: fingerprint(binding), values });
  return Buffer.from(text).toString("base64url");
}

/** Throws OperationError Invalid for a cursor that is damaged or was made for another list. */
export function decodeCursor(
  cursor: string,
  binding: CursorBinding,
  count: number,
): readonly CursorValue[] {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success || parsed.data.values.length !== count) {
    throw new OperationError(
      "Invalid",
      "This page's cursor is damaged: start from the first page.",
    );
  }
  if (parsed.data.binding !== fingerprint(binding)) {
    throw new OperationError(
      "Invalid",
      "This page's cursor belongs to another cluster, filter or order: start from the first page.",
    );
  }
  return parsed.data.values;
}

function fingerprint(binding: CursorBinding): string {
  // By way of JSON text, so that members that are undefined count as absent.
  const plain = JSON.parse(JSON.stringify(binding)) as Json;
  return createHash("sha256").update(canonicalJson(plain)).digest("base64url").slice(0, 16);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
