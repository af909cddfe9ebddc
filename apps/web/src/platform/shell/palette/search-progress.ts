import { problemOf } from "../../../components/problem.ts";

/** The progress of the search for the typed text: only once it is done can nothing have been found. */
export type SearchProgress =
  | { readonly kind: "searching" | "done" }
  | { readonly kind: "failed"; readonly sentence: string };

interface Search {
  readonly isError: boolean;
  readonly error: unknown;
  readonly isPending: boolean;
  /** The results are for an earlier text. */
  readonly isPlaceholderData: boolean;
}

/** `text` is what was sent to the server, which follows typing with a delay. */
export function searchProgress(search: Search, query: string, text: string): SearchProgress {
  if (query.trim() === "") return { kind: "done" };
  if (text !== query.trim()) return { kind: "searching" };
  if (search.isError) return { kind: "failed", sentence: problemOf(search.error).sentence };
  return { kind: search.isPending || search.isPlaceholderData ? "searching" : "done" };
}
