/** One problem of an object: a cause in the Status of a 422, in upstream's words. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

export function required(field: string, detail?: string): Problem {
  return {
    reason: "FieldValueRequired",
    message: detail === undefined ? "Required value" : `Required value: ${detail}`,
    field,
  };
}

/** `value` is shown as JSON. */
export function invalidValue(field: string, value: unknown, detail: string): Problem {
  return {
    reason: "FieldValueInvalid",
    message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
    field,
  };
}

export function forbiddenValue(field: string, detail: string): Problem {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${detail}`, field };
}

export function duplicateValue(field: string, value: unknown, detail?: string): Problem {
  const why = detail === undefined ? "" : `: ${detail}`;
  return {
    reason: "FieldValueDuplicate",
    message: `Duplicate value: ${JSON.stringify(value)}${why}`,
    field,
  };
}

export function unsupportedValue(
  field: string,
  value: unknown,
  supported: readonly string[],
): Problem {
  const list = supported.map((item) => JSON.stringify(item)).join(", ");
  return {
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
    field,
  };
}

export function tooLong(field: string, limit: number): Problem {
  return {
    reason: "FieldValueTooLong",
    message: `Too long: may not be more than ${limit} bytes`,
    field,
  };
}

/** Returns the problems that a rule finds in a field's value; an absent value has none. */
export function ruleProblems(
  rule: (value: string) => readonly string[],
  field: string,
  value: string | undefined,
): readonly Problem[] {
  return value === undefined ? [] : rule(value).map((why) => invalidValue(field, value, why));
}
