import { badRequest } from "../http/api-error.ts";
import type { ApiObject } from "../resources/metadata.ts";

export type FieldSelector = (object: ApiObject) => boolean;
export type FieldTable = Readonly<Record<string, (object: ApiObject) => string>>;

const COMMON: FieldTable = {
  "metadata.name": ({ metadata }) => metadata.name ?? "",
  "metadata.namespace": ({ metadata }) => metadata.namespace ?? "",
};

/** Parses `reason=A,type!=Normal`; "" selects everything. Throws ApiError 400 for fields that the table does not have. */
export function parseFieldSelector(source: string, table: FieldTable): FieldSelector {
  const requirements = source
    .split(",")
    .filter((term) => term !== "")
    .map((term) => readTerm(source, term, table));
  return (object) => requirements.every((fits) => fits(object));
}

const TERM = /^([^=!]+)(==|!=|=)(.*)$/;

function readTerm(source: string, term: string, table: FieldTable): FieldSelector {
  const [, field = "", operator, value = ""] = TERM.exec(term) ?? [];
  if (operator === undefined) {
    throw badRequest(`invalid selector: '${source}'; can't understand '${term}'`);
  }
  const read = COMMON[field] ?? table[field];
  if (read === undefined) throw badRequest(`field label not supported: ${field}`);
  return operator === "!="
    ? (object) => read(object) !== value
    : (object) => read(object) === value;
}
