import type { ServerOptions } from "node:https";
import type { Clock } from "@cloudwright/core/model/time";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Log } from "../logging/log.ts";
import type { TlsMaterial, TlsSource } from "./tls-material.ts";

/** Of our servers: that of health and metrics, and that of webhooks. */
export type TlsServerName = "https" | "webhooks";

/** What a server shows its callers, as its files change. */
export interface ServedTls {
  readonly server: TlsServerName;
  /** When the certificate that is shown ends, milliseconds since the epoch. */
  expiresAt(): number;
  /** Why the files cannot be used as they are now; undefined while what they hold is shown. */
  problem(): string | undefined;
  stop(): void;
}

export interface FollowTlsOptions {
  readonly server: TlsServerName;
  readonly source: TlsSource;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "error">;
  /** Called with each pair that takes the place of another. */
  onRenewed(tls: ServerOptions): void;
}

/**
 * Files are read, not watched: of a Secret's folder a link changes and not the file, and a look at two small files costs
 * nothing. Sooner than a minute, as whoever renews an authority as well has callers that are refused in between.
 */
const PERIOD_MS = 10_000;

/** Looks at the files again and again, and has a pair of our own made anew before it ends. Files that cannot be used keep the last pair in force, and that is logged once. */
export function followTls(options: FollowTlsOptions): ServedTls {
  const { server, source, clock, log, onRenewed } = options;
  let served = source.read();
  let problem: string | undefined;
  let isOver = false;
  let cancel = () => {};
  const take = (next: TlsMaterial) => {
    const wasUnusable = problem !== undefined;
    problem = undefined;
    if (next !== served) {
      served = next;
      onRenewed(next.options);
      log.info({ server, until: dayOf(next.expiresAt) }, "A renewed certificate is in use");
    } else if (wasUnusable) {
      log.info({ server }, "The certificate in the files is in use again");
    }
  };
  const refuse = (error: unknown) => {
    const before = problem;
    problem = messageOf(error);
    if (problem === before) return;
    log.error(
      { server, error: problem, until: dayOf(served.expiresAt) },
      "The certificate files cannot be used; the previous certificate stays in use",
    );
  };
  const preview = async () => {
    try {
      await source.renew(clock.now());
      if (!isOver) take(source.read());
    } catch (error) {
      if (!isOver) refuse(error);
    }
    if (!isOver) checkLater();
  };
  const checkLater = () => {
    cancel = clock.after(PERIOD_MS, () => void preview());
  };
  checkLater();
  return {
    server,
    expiresAt: () => served.expiresAt,
    problem: () => problem,
    stop: () => {
      isOver = true;
      cancel();
    },
  };
}

/** For reading: `2027-03-01T10:00:00.000Z`. */
function dayOf(at: number): string {
  return new Date(at).toISOString();
}
