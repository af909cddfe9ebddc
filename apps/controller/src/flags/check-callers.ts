import type { FlagValues } from "./definitions/all.ts";

const HEADERS = [
  "requestheader-username-headers",
  "requestheader-uid-headers",
  "requestheader-group-headers",
  "requestheader-extra-headers-prefix",
] as const;
/** A token of HTTP. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** How callers of the HTTPS port are known, one sentence a mistake (spec/00 §5.6). */
export function checkCallers(flags: FlagValues): readonly string[] {
  return HEADERS.flatMap((name) =>
    flags[name]
      .filter((header) => !HEADER_NAME.test(header))
      .map((header) => `--${name} has "${header}": it must be the name of an HTTP header.`),
  );
}
