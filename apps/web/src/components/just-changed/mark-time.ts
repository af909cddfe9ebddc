/** So long a value keeps the mark that it has just changed (UX brief, section 13). */
export const MARK_MS = 3_000;
