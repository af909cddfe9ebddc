/** How much of a request id a chip shows, and how much of it a search needs: the ledger's index knows as much. */
export const REQUEST_ID_SHOWN = 8;

/** Why this cannot be searched for as a request id; undefined when it can. */
export function requestProblem(id: string): string | undefined {
  if (id.length >= REQUEST_ID_SHOWN) return undefined;
  return `request: needs the first ${REQUEST_ID_SHOWN} characters of an id, or more`;
}
