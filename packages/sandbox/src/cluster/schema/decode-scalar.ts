import type { Json } from "@cloudwright/core/model/values/json";
import { DecodeError } from "./decode-error.ts";
import { canonicalQuantity } from "./quantity.ts";
import type { ScalarType } from "./schema.ts";

type Reader = (input: unknown, goField: string) => Json;

const READERS: Readonly<Record<ScalarType, Reader>> = {
  text: (input, goField) => (typeof input === "string" ? input : refuse(input, goField, "string")),
  integer: (input, goField) =>
    typeof input === "number" && Number.isInteger(input) ? input : refuse(input, goField, "int64"),
  boolean: (input, goField) =>
    typeof input === "boolean" ? input : refuse(input, goField, "bool"),
  time: readTime,
  microTime: readMicroTime,
  quantity: readQuantity,
  bytes: readBytes,
  intOrString: (input, goField) =>
    typeof input === "string" || typeof input === "number"
      ? input
      : refuse(input, goField, "intstr.IntOrString"),
  anything: (input) => input as Json,
};

const ZEROS: Readonly<Record<ScalarType, Json>> = {
  text: "",
  integer: 0,
  boolean: false,
  time: null,
  microTime: null,
  quantity: "0",
  bytes: null,
  intOrString: 0,
  anything: null,
};

/** Returns the value in its canonical spelling; throws DecodeError when it does not match the type. */
export function decodeScalar(type: ScalarType, input: unknown, goField: string): Json {
  return READERS[type](input, goField);
}

export function zeroScalar(type: ScalarType): Json {
  return ZEROS[type];
}

const SECONDS_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICROS_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";
const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const EXACT_MICROS = /^\.\d{6}$/;

function readTime(input: unknown, goField: string): string {
  const { date } = parseTime(input, goField, SECONDS_LAYOUT);
  return `${date.toISOString().slice(0, 19)}Z`;
}

function readMicroTime(input: unknown, goField: string): string {
  const { date, fraction, source } = parseTime(input, goField, MICROS_LAYOUT);
  if (!EXACT_MICROS.test(fraction)) {
    const rest = source.slice(19);
    throw new DecodeError(
      `parsing time "${source}" as "${MICROS_LAYOUT}": cannot parse "${rest}" as ".000000"`,
    );
  }
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

function parseTime(input: unknown, goField: string, layout: string) {
  if (typeof input !== "string") return refuse(input, goField, "string");
  const match = RFC3339.exec(input);
  const date = new Date(match === null ? Number.NaN : `${match[1]}${match[3]}`);
  if (match === null || Number.isNaN(date.getTime())) {
    throw new DecodeError(
      `parsing time "${input}" as "${layout}": cannot parse "${input}" as "2006"`,
    );
  }
  return { date, fraction: match[2] ?? "", source: input };
}

const QUANTITY_RULE =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function readQuantity(input: unknown, goField: string): string {
  if (typeof input !== "string" && typeof input !== "number")
    return refuse(input, goField, "string");
  const canonical = canonicalQuantity(String(input).trim());
  if (canonical === undefined) throw new DecodeError(QUANTITY_RULE);
  return canonical;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function readBytes(input: unknown, goField: string): string {
  if (typeof input !== "string") return refuse(input, goField, "[]uint8");
  if (BASE64.test(input)) return input;
  const wrong = input.search(/[^A-Za-z0-9+/=]/);
  const at = wrong >= 0 ? wrong : input.length - (input.length % 4);
  throw new DecodeError(`illegal base64 data at input byte ${at}`);
}

function refuse(input: unknown, goField: string, expected: string): never {
  const got = Array.isArray(input) ? "array" : input === null ? "null" : typeof input;
  const name = got === "boolean" ? "bool" : got;
  throw new DecodeError(
    `json: cannot unmarshal ${name} into Go struct field ${goField} of type ${expected}`,
  );
}
