import { readFileSync } from "node:fs";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { FlagValues } from "../../flags/definitions/all.ts";
import {
  authoritiesOf,
  type CaBundle,
  type ClientAuthorities,
  caBundle,
} from "../../http/client-authorities.ts";
import { PlainError } from "../../plain-error.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";

/** As in upstream, certificate files are checked once a minute. */
const PERIOD_MS = 60_000;

/** Reads `--client-ca-file` and the front proxy of `--requestheader-*`. Throws PlainError for a file that cannot be used. */
export function authoritiesOfFiles(flags: FlagValues): ClientAuthorities {
  return authoritiesOf(flags, (flag) => bundleIn(flags, flag));
}

/** Calls back when the certificates in one of the files change. While a file cannot be read, its last certificates stay in use. */
export function watchAuthorityFiles(
  { flags, clock, log }: Pick<ProcessContext, "flags" | "clock" | "log">,
  signal: AbortSignal,
  onChange: (next: ClientAuthorities) => void,
): void {
  if (flags["client-ca-file"] === "" && flags["requestheader-client-ca-file"] === "") return;
  let known = contentOf(authoritiesOfFiles(flags));
  const preview = () => {
    if (signal.aborted) return;
    try {
      const next = authoritiesOfFiles(flags);
      if (contentOf(next) !== known) onChange(next);
      known = contentOf(next);
    } catch (error) {
      log.error(
        { error: messageOf(error) },
        "A file of certificate authorities cannot be used; the previous one stays in use",
      );
    }
    clock.after(PERIOD_MS, preview);
  };
  clock.after(PERIOD_MS, preview);
}

function contentOf({ clients, frontProxy }: ClientAuthorities): string {
  return `${clients?.pem}\n${frontProxy?.ca.pem}`;
}

function bundleIn(
  flags: FlagValues,
  flag: "client-ca-file" | "requestheader-client-ca-file",
): CaBundle | undefined {
  const file = flags[flag];
  if (file === "") return undefined;
  try {
    return caBundle(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new PlainError(
      `--${flag}=${file} cannot be used (${messageOf(cause)}): give a file of PEM certificates.`,
      { cause },
    );
  }
}
