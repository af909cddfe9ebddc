import { unsupportedValue } from "../rules/problem.ts";
import { invalid } from "./api-error.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

const OPTION_KINDS: Readonly<Record<string, string>> = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
  delete: "DeleteOptions",
  deletecollection: "DeleteOptions",
};

/** Returns `dryRun` and `fieldValidation` of a write. Throws ApiError 422 for values that upstream refuses. */
export function writeOptions(verb: string, query: URLSearchParams): WriteOptions {
  const subject = { group: "meta.k8s.io", kind: OPTION_KINDS[verb] ?? "CreateOptions", name: "" };
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  if (dryRun.some((value) => value !== "All")) {
    throw invalid(subject, [unsupportedValue("dryRun", dryRun, ["All"])]);
  }
  const validation = query.get("fieldValidation") ?? "";
  if (!isFieldValidation(validation)) {
    throw invalid(subject, [
      unsupportedValue("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"]),
    ]);
  }
  return { dryRun: dryRun.length > 0, fieldValidation: validation === "" ? "Warn" : validation };
}

export function isTrue(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value === "true" || value === "1";
}

function isFieldValidation(value: string): value is FieldValidation | "" {
  return ["", "Ignore", "Warn", "Strict"].includes(value);
}
