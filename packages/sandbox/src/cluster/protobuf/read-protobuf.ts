import { badRequest, unsupportedMediaType } from "../http/api-error.ts";
import { apiVersionOf, CATALOGUE } from "../resources/catalogue.ts";
import { ONE_WAY_SCHEMAS } from "../reviews/review-schemas.ts";
import { type StructSchema, struct, text } from "../schema/schema.ts";
import { decodeMessage } from "./decode-message.ts";
import { wireFields } from "./wire.ts";

export const PROTOBUF = "application/vnd.kubernetes.protobuf";

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

const typeMeta = struct("TypeMeta", { apiVersion: text, kind: text }, "apiVersion kind");

/**
 * Returns a protobuf body as equivalent JSON text: newer kubectl sends creations in this form. Throws ApiError 400 for an invalid body and
 * 415 for a kind that has no protobuf form here.
 */
export function jsonOfProtobuf(body: Uint8Array): string {
  if (!MAGIC.every((byte, index) => body[index] === byte)) {
    throw badRequest(
      "the object provided is unrecognized: provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (6b3873)",
    );
  }
  const { type, raw } = readEnvelope(body.subarray(MAGIC.length));
  const { apiVersion = "", kind = "" } = type;
  const schema = schemaOf(String(apiVersion), String(kind));
  return JSON.stringify({ kind, apiVersion, ...decodeMessage(schema, raw) });
}

function readEnvelope(envelope: Uint8Array) {
  let type: ReturnType<typeof decodeMessage> = {};
  let raw: Uint8Array = new Uint8Array();
  for (const { number, value } of wireFields(envelope)) {
    if (typeof value === "bigint") continue;
    if (number === 1) type = decodeMessage(typeMeta, value);
    if (number === 2) raw = value;
  }
  return { type, raw };
}

function schemaOf(apiVersion: string, kind: string): StructSchema {
  const kept = CATALOGUE.find(
    (definition) => definition.kind === kind && apiVersionOf(definition) === apiVersion,
  );
  const schema = kept?.schema ?? ONE_WAY_SCHEMAS.find(({ name }) => name === kind);
  if (schema === undefined || schema.wireOrder.length === 0) {
    throw unsupportedMediaType(
      `415: Unsupported Media Type: the sandbox cluster reads ${kind} in ${apiVersion} as JSON alone`,
    );
  }
  return schema;
}
