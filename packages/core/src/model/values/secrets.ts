import { LONGEST_MESSAGE, LONGEST_NOTE, omissionNote, startOf } from "./bounded-text.ts";

/**
 * Returns a text that a cloud, a proxy or a library wrote, at most 4,096 characters of it, with everything that looks like a
 * secret replaced by `***`. Words about secrets stay as they are. This is a second safety net: code that knows a secret keeps
 * it out of messages in the first place.
 *
 * The text is cut before it is scanned, so that its writer does not decide how long this takes. A secret across the final cut
 * would not be recognised without its end, so more is scanned than is kept.
 */
export function withoutSecrets(text: string): string {
  const looked = startOf(text, LONGEST_MESSAGE + AHEAD_OF_NAME);
  const isCut = looked.length < text.length;
  const masked = isCut ? withoutCutSecret(masking(looked)) : masking(looked);
  const beyond = text.length - looked.length;
  if (beyond === 0 && masked.length <= LONGEST_MESSAGE) return masked;
  const kept = startOf(masked, LONGEST_MESSAGE - LONGEST_NOTE);
  return kept + omissionNote(beyond + masked.length - kept.length);
}

/** The replacement for a secret. */
const MASK = "***";

/** How many UTF-16 units are scanned beyond what is kept: tokens of this length are seen as a whole. */
const AHEAD_OF_NAME = 4_096;

/** Masks what looks like a secret in a text of any length, in linear time; exported for the test of that. */
export function masking(text: string): string {
  const rest = PATTERNS.reduce((left, pattern) => left.replace(pattern, `$1${MASK}`), text);
  return rest.replace(RUN, withoutToken);
}

const NAMES =
  "(?:authorization|password|passwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential)";

/**
 * The first group is kept. Each pattern is linear: what it repeats cannot start again within what it has already repeated over.
 */
const PATTERNS: readonly RegExp[] = [
  // JSON: "password": "…"; a text that was cut in its middle has no end.
  new RegExp(`("[^"]*${NAMES}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*(?="|\\\\?$)`, "gi"),
  // Forms and command lines: password=…
  new RegExp(`(${NAMES}=)[^\\s&;,"']+`, "gi"),
  // Headers: a value with a digit in it, as prose goes on with a word.
  new RegExp(`(${NAMES}:\\s+)(?=\\S*\\d)[^\\s,;"']{8,}`, "gi"),
  /(\bauthorization\W+(?:basic|bearer|digest|negotiate|token)\s+)[^\s,;"']+/gi,
  /(\bBearer\s+)(?=\S*\d)[\w.~+/=-]{8,}/gi,
  /(:\/\/)[^\s/@]+(?=@)/g,
];

/** A whole run of everything that a signed token may be part of, as shorter matches are never tried. */
const RUN = /(?<![\w.-])[\w.-]+/g;
const TOKEN_START = /(?<![A-Za-z0-9_])eyJ/;

/** Signed tokens have three parts separated by dots, the first of which starts like any JSON. */
function withoutToken(run: string): string {
  const start = run.search(TOKEN_START);
  if (start < 0 || run.slice(start).split(".").length < 3) return run;
  return run.slice(0, start) + MASK;
}

/** A possible beginning of a secret at the end of a text, where the part that would identify it is missing. */
const CUT_SECRETS: readonly RegExp[] = [
  new RegExp(`(${NAMES}:\\s+)\\S+$`, "gi"),
  /(\bBearer\s+)\S+$/gi,
  /(:\/\/)[^\s/@]+$/g,
];

function withoutCutSecret(text: string): string {
  const rest = CUT_SECRETS.reduce((left, pattern) => left.replace(pattern, `$1${MASK}`), text);
  return rest.replace(/(?<![\w.-])[\w.-]+$/, (run) => {
    const start = run.search(TOKEN_START);
    return start < 0 ? run : run.slice(0, start) + MASK;
  });
}
