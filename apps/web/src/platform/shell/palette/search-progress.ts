import { problemOf } from "../../../components/problem.ts";

/** How far the search is for what is typed now: only once it is done can nothing have been found. */
export type SearchProgress =
  | { readonly kind: "searching" | "done" }
  | { readonly kind: "failed"; readonly sentence: string };

interface Search {
  readonly isError: boolean;
  readonly error: unknown;
  readonly isPending: boolean;
  /** What is there was found for an earlier text. */
  readonly isPlaceholderData: boolean;
}

/** `text`: what the server was asked for, which follows what is typed after a moment. */
export function searchProgress(search: Search, query: string, text: string): SearchProgress {
  if (query.trim() === "") return { kind: "done" };
  if (text !== query.trim()) return { kind: "searching" };
  if (search.isError) return { kind: "failed", sentence: problemOf(search.error).sentence };
  return { kind: search.isPending || search.isPlaceholderData ? "searching" : "done" };
}
