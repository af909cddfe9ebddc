import type { WaitingAdoption } from "@cloudwright/store/takeover-views";
import { PlainError } from "../../plain-error.ts";

export interface Choice {
  readonly all: boolean;
  /** `namespace/name` of Services, names of Nodes. */
  readonly names: readonly string[];
}

/** The ones that are meant. Throws PlainError for a choice that says nothing or too much, and for names that wait for nothing. */
export function chosen(
  waiting: readonly WaitingAdoption[],
  { all, names }: Choice,
): readonly WaitingAdoption[] {
  if (all === names.length > 0) {
    throw new PlainError(
      "Name the Services (NAMESPACE/NAME) and Nodes whose load balancers and routes are to be adopted, or give --all.",
    );
  }
  if (all) return waiting;
  const known = new Set(waiting.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new PlainError(
      `Nothing waits for consent under ${unknown.join(", ")}: write Services as NAMESPACE/NAME, and see cloudwright adopt --all --dry-run for what waits.`,
    );
  }
  return waiting.filter(({ name }) => names.includes(name));
}
