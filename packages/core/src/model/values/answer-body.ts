import type { JsonObject } from "./json.ts";
import { withoutSecrets } from "./secrets.ts";

/** The fields of a refusal's body that a record may keep; never headers, and never what was sent. */
export interface AnswerBody {
  readonly code?: string | number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The names of the rejected fields, without their values. */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Returns the allow-listed fields of a failed call's answer, without secrets, as at most 4 KiB of JSON; undefined if
 * there are none.
 */
export function recordedBody(body: AnswerBody): JsonObject | undefined {
  const { code, reason, message = "", fields = [] } = body;
  const kept = {
    ...(code === undefined || code === "" ? {} : { code: shortCode(code) }),
    ...(reason === undefined || reason === "" ? {} : { reason: shortName(reason) }),
    ...(fields.length === 0 ? {} : { fields: fields.slice(0, MOST_FIELDS).map(shortName) }),
  };
  if (message !== "") return withMessage(kept, withoutSecrets(message));
  return Object.keys(kept).length === 0 ? undefined : kept;
}

const MOST_BYTES = 4_096;
const MOST_FIELDS = 10;
const LONGEST_NAME = 100;

function withMessage(kept: JsonObject, whole: string): JsonObject {
  let length = Math.min(whole.length, MOST_BYTES);
  for (;;) {
    const message = length < whole.length ? `${whole.slice(0, length)}…` : whole;
    const body = { ...kept, message };
    if (bytesOf(body) <= MOST_BYTES) return body;
    length = Math.floor(length * 0.9);
  }
}

function bytesOf(value: JsonObject): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function shortCode(code: string | number): string | number {
  return typeof code === "number" ? code : shortName(code);
}

/** Codes and names consist of these characters everywhere; anything else is not a name. */
function shortName(name: string): string {
  return withoutSecrets(name)
    .slice(0, LONGEST_NAME)
    .replaceAll(/[^\w .*/[\]-]/g, "?");
}
