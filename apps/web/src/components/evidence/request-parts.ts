import { t } from "@cloudwright/core/model/language/text";
/** How many characters of a request id a chip shows and a search needs; the ledger's index is just as long. */
export const REQUEST_ID_SHOWN = 8;

/** A piece of plain text of a sentence, or the id of a cloud call that the sentence names. */
export type SentencePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "request"; readonly id: string };

/** Returns the words that stand before a request id: the ledger's English one and that of the page's language. */
function requestWords(): readonly string[] {
  const [before = ""] = t`request ${ID_MARK}`.split(ID_MARK);
  return [...new Set(["request ", before])];
}

const ID_MARK = "\ue000";

function requestPattern(): RegExp {
  const id = `(?=[^\\s,;()]*\\d)(?<id>[^\\s,;()]{${REQUEST_ID_SHOWN},})`;
  return new RegExp(`(?<![\\p{L}\\d])(?<word>${requestWords().join("|")})${id}`, "gu");
}

/** Removes the request id from a sentence where there is room only for the cause: `(status 503, request 7f3a…)` becomes `(status 503)`. */
export function withoutRequests(sentence: string): string {
  const words = requestWords().join("|");
  return requestParts(sentence)
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("")
    .replaceAll(new RegExp(` \\((${words})\\)|, (${words})(?=[,)])`, "g"), "");
}

/**
 * Splits a sentence into its parts. Sentences write a call as `request 7f3a…`, also in Events and exports, so plain text from the ledger is
 * parsed as well; a word without a digit is not an id.
 */
export function requestParts(sentence: string): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  let end = 0;
  for (const match of sentence.matchAll(requestPattern())) {
    const { word = "", id: whole = "" } = match.groups ?? {};
    const id = whole.replace(/[.:]+$/, "");
    if (id.length < REQUEST_ID_SHOWN) continue;
    const start = match.index + word.length;
    parts.push({ kind: "text", text: sentence.slice(end, start) }, { kind: "request", id });
    end = start + id.length;
  }
  const rest: SentencePart = { kind: "text", text: sentence.slice(end) };
  return rest.text === "" && parts.length > 0 ? parts : [...parts, rest];
}

/** Returns why this text cannot be searched for as a request id; undefined if it can. */
export function requestProblem(id: string): string | undefined {
  if (id.length >= REQUEST_ID_SHOWN) return undefined;
  return t`request: needs the first ${REQUEST_ID_SHOWN} characters of an ID, or more`;
}
