import { type CallRef, ProviderError } from "@cloudwright/provider-api";

/** More entries than any list of an answer may have. */
const MOST_ENTRIES = 200_000;

/** Throws ProviderError unless there is one answer for each question. */
export function checkCount(call: CallRef, answered: number, asked: number): void {
  if (answered === asked) return;
  const message = `The provider process ${call.provider} answered ${answered} of ${asked} questions of ${call.operation}: report this to its author.`;
  throw new ProviderError("Invalid", message, call);
}

/** Throws ProviderError `OutOfBounds` for a list that is longer than an answer may be. */
export function checkBounds(call: CallRef, ...lists: readonly (readonly unknown[])[]): void {
  const longest = Math.max(...lists.map(({ length }) => length));
  if (longest <= MOST_ENTRIES) return;
  const message = `The provider process ${call.provider} answered ${call.operation} with a list of ${longest} entries, but no more than ${MOST_ENTRIES} are read; none of them was used.`;
  throw new ProviderError("OutOfBounds", message, call);
}
