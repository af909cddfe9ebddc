import { t } from "@cloudwright/core/model/language/text";
/** How much of a request id a chip shows, and how much of it a search needs: the ledger's index knows as much. */
export const REQUEST_ID_SHOWN = 8;

/** A stretch of a sentence, or the id of a cloud call that it names. */
export type SentencePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "request"; readonly id: string };

/** The word before an id: as the ledger has it, and in the language of the page. */
function requestWords(): readonly string[] {
  const [before = ""] = t`request ${ID_MARK}`.split(ID_MARK);
  return [...new Set(["request ", before])];
}

const ID_MARK = "\ue000";

function requestPattern(): RegExp {
  const id = `(?=[^\\s,;()]*\\d)(?<id>[^\\s,;()]{${REQUEST_ID_SHOWN},})`;
  return new RegExp(`(?<![\\p{L}\\d])(?<word>${requestWords().join("|")})${id}`, "gu");
}

/** A sentence for where there is room for its cause alone: `(status 503, request 7f3a…)` becomes `(status 503)`. */
export function withoutRequests(sentence: string): string {
  const words = requestWords().join("|");
  return requestParts(sentence)
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("")
    .replaceAll(new RegExp(` \\((${words})\\)|, (${words})(?=[,)])`, "g"), "");
}

/**
 * A sentence in its parts. Sentences name a call as `request 7f3a…`, in Events and exports too, so what the ledger kept as plain
 * text is understood as well; a word without a digit is no id.
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

/** Why this cannot be searched for as a request id; undefined when it can. */
export function requestProblem(id: string): string | undefined {
  if (id.length >= REQUEST_ID_SHOWN) return undefined;
  return t`request: needs the first ${REQUEST_ID_SHOWN} characters of an ID, or more`;
}
