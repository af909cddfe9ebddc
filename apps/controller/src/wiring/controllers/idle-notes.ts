import { type FlagName, flagOf } from "../../flags/definitions/all.ts";
import type { Log } from "../../logging/log.ts";

export interface IdleSettings {
  /** The flags given on the command line. */
  readonly given: readonly FlagName[];
  /** The given feature gates that have no effect here. */
  readonly gates: readonly string[];
}

/** Logs one line for all given flags without effect, and one for such gates. */
export function logIdle(log: Log, { given, gates }: IdleSettings): void {
  const idle = given.flatMap((name) => {
    const why = flagOf(name).idle;
    return why === undefined ? [] : [[`--${name}`, why] as const];
  });
  if (idle.length > 0) {
    log.info({ flags: Object.fromEntries(idle) }, "These flags are accepted and have no effect");
  }
  if (gates.length > 0) {
    log.info({ gates }, "These feature gates are accepted and have no effect");
  }
}
