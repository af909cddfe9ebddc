import { LONGEST_MESSAGE, LONGEST_NOTE, omissionNote, startOf } from "./bounded-text.ts";

/**
 * A text that a cloud, a proxy or a library wrote, at most 4,096 characters of it, with what looks like a secret replaced by
 * `***`. Words about secrets stay as they are. It is a second net: whoever knows a secret keeps it out of messages in the first
 * place.
 *
 * The text is cut before anything looks at it, so that its writer does not decide how long this takes. A secret that the last
 * cut goes through would not be recognised without its end, so more is looked at than is kept.
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

/** What a secret is replaced by. */
const MASK = "***";

/** UTF-16 units behind what is kept: tokens of this length are seen as a whole. */
const AHEAD_OF_NAME = 4_096;

/**
 * A text of any length without what looks like a secret, in a time that grows with the length and no faster; exported for the
 * test of that.
 */
export function masking(text: string): string {
  const rest = PATTERNS.reduce((left, pattern) => left.replace(pattern, `$1${MASK}`), text);
  return rest.replace(RUN, withoutToken);
}

const NAMES =
  "(?:authorization|password|passwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential)";

/**
 * What stays is the first group. Each is linear: what one of them repeats cannot begin anew inside of what it has repeated over.
 */
const PATTERNS: readonly RegExp[] = [
  // JSON: "password": "…"; a text that was cut in the middle of it has no end.
  new RegExp(`("[^"]*${NAMES}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*(?="|\\\\?$)`, "gi"),
  // Forms and command lines: password=…
  new RegExp(`(${NAMES}=)[^\\s&;,"']+`, "gi"),
  // Headers: a value with a digit in it, as prose goes on with a word.
  new RegExp(`(${NAMES}:\\s+)(?=\\S*\\d)[^\\s,;"']{8,}`, "gi"),
  /(\bauthorization\W+(?:basic|bearer|digest|negotiate|token)\s+)[^\s,;"']+/gi,
  /(\bBearer\s+)(?=\S*\d)[\w.~+/=-]{8,}/gi,
  /(:\/\/)[^\s/@]+(?=@)/g,
];

/** Everything that a signed token may be a part of, whole: a shorter match is never tried. */
const RUN = /(?<![\w.-])[\w.-]+/g;
const TOKEN_START = /(?<![A-Za-z0-9_])eyJ/;

/** Signed tokens are three parts with a dot between them, of which the first begins like any JSON. */
function withoutToken(run: string): string {
  const start = run.search(TOKEN_START);
  if (start < 0 || run.slice(start).split(".").length < 3) return run;
  return run.slice(0, start) + MASK;
}

/** What may be the beginning of a secret at the end of a text: the part by which it would be known is missing. */
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
