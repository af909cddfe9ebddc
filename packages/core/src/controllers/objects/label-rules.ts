import type { ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";

export type LabelProblem = Pick<ReasonOf<"LabelInvalid">, "problem" | "phrase">;

/** Returns why the API server would refuse a label, as the end of a sentence; undefined if it would not. */
export function labelProblem(key: string, value: string): LabelProblem | undefined {
  return keyProblem(key) ?? valueProblem(value);
}

export function valueProblem(value: string): LabelProblem | undefined {
  if (value.length > 63) return phrased("problem", "labelTooLong");
  if (value === "" || LABEL_VALUE.test(value)) return undefined;
  return phrased("problem", "labelCharacter");
}

function keyProblem(key: string): LabelProblem | undefined {
  const parts = key.split("/");
  const name = parts.pop() ?? "";
  if (parts.length > 1) return phrased("problem", "labelKeySlashes");
  if (name === "" || valueProblem(name) !== undefined) return phrased("problem", "labelKeyName");
  const [prefix] = parts;
  if (prefix === undefined || (prefix.length <= 253 && DNS_SUBDOMAIN.test(prefix)))
    return undefined;
  return phrased("problem", "labelKeyPrefix");
}

const LABEL_VALUE = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
