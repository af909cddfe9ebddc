import { type CallRef, ProviderError } from "@cloudwright/provider-api";

/** The maximum number of entries in any list of an answer. */
const MOST_ENTRIES = 200_000;

/** Throws ProviderError unless the number of answers equals that of questions. */
export function checkCount(call: CallRef, answered: number, asked: number): void {
  if (answered === asked) return;
  const message = `The provider process ${call.provider} answered ${answered} of ${asked} questions of ${call.operation}: report this to its author.`;
  throw new ProviderError("Invalid", message, call);
}

/** Throws ProviderError `OutOfBounds` for a list that exceeds the limit. */
export function checkBounds(call: CallRef, ...lists: readonly (readonly unknown[])[]): void {
  const longest = Math.max(...lists.map(({ length }) => length));
  if (longest <= MOST_ENTRIES) return;
  const message = `The provider process ${call.provider} answered ${call.operation} with a list of ${longest} entries, but no more than ${MOST_ENTRIES} are read; none of them was used.`;
  throw new ProviderError("OutOfBounds", message, call);
}
