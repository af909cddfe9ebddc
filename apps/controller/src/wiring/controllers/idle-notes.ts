import { type FlagName, flagOf } from "../../flags/definitions/all.ts";
import type { Log } from "../../logging/log.ts";

export interface IdleSettings {
  /** The flags that the command line named. */
  readonly given: readonly FlagName[];
  /** The feature gates that were given and change nothing here. */
  readonly gates: readonly string[];
}

/** One line for all flags that were given and change nothing, and one for such gates. */
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
