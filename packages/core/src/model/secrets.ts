/**
 * Text that a cloud, a proxy or a library wrote, with what looks like a secret replaced by `***`. Words about secrets stay
 * as they are. It is a second net: whoever knows a secret keeps it out of messages in the first place.
 */
export function withoutSecrets(text: string): string {
  return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, `$1${MASK}`), text);
}

/** What a secret is replaced by. */
export const MASK = "***";

const NAMES =
  "(?:authorization|password|passwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential)";

/** What stays is the first group. */
const PATTERNS: readonly RegExp[] = [
  // JSON: "password": "…"
  new RegExp(`("[^"]*${NAMES}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*(?=")`, "gi"),
  // Forms and command lines: password=…
  new RegExp(`(${NAMES}=)[^\\s&;,"']+`, "gi"),
  // Headers: a value with a digit in it, as prose goes on with a word.
  new RegExp(`(${NAMES}:\\s+)(?=\\S*\\d)[^\\s,;"']{8,}`, "gi"),
  /(\bauthorization\W+(?:basic|bearer|digest|negotiate|token)\s+)[^\s,;"']+/gi,
  /(\bBearer\s+)(?=\S*\d)[\w.~+/=-]{8,}/gi,
  /()\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+(?=@)/gi,
];
