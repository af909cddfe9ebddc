import { t } from "@cloudwright/core/model/language/text";
/** How much of a request id a chip shows, and how much of it a search needs: the ledger's index knows as much. */
export const REQUEST_ID_SHOWN = 8;

/** A stretch of a sentence, or the id of a cloud call that it names. */
export type SentencePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "request"; readonly id: string };

const REQUEST = new RegExp(`\\brequest (?=[^\\s,;()]*\\d)([^\\s,;()]{${REQUEST_ID_SHOWN},})`, "g");

/** A sentence for where there is room for its cause alone: `(status 503, request 7f3a…)` becomes `(status 503)`. */
export function withoutRequests(sentence: string): string {
  return requestParts(sentence)
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("")
    .replaceAll(/ \(request \)|, request (?=[,)])/g, "");
}

/**
 * A sentence in its parts. Sentences name a call as `request 7f3a…`, in Events and exports too, so what the ledger kept as plain
 * text is understood as well; a word without a digit is no id.
 */
export function requestParts(sentence: string): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  let end = 0;
  for (const match of sentence.matchAll(REQUEST)) {
    const id = (match[1] ?? "").replace(/[.:]+$/, "");
    if (id.length < REQUEST_ID_SHOWN) continue;
    const start = match.index + "request ".length;
    parts.push({ kind: "text", text: sentence.slice(end, start) }, { kind: "request", id });
    end = start + id.length;
  }
  const rest: SentencePart = { kind: "text", text: sentence.slice(end) };
  return rest.text === "" && parts.length > 0 ? parts : [...parts, rest];
}

/** Why this cannot be searched for as a request id; undefined when it can. */
export function requestProblem(id: string): string | undefined {
  if (id.length >= REQUEST_ID_SHOWN) return undefined;
  return t`request: needs the first ${REQUEST_ID_SHOWN} characters of an ID, or more`;
}
