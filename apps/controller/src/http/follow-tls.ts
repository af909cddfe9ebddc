import type { ServerOptions } from "node:https";
import type { Clock } from "@cloudwright/core/model/time";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Log } from "../logging/log.ts";
import type { TlsMaterial, TlsSource } from "./tls-material.ts";

/** Our servers: for health and metrics, and for webhooks. */
export type TlsServerName = "https" | "webhooks";

/** The certificates that a server presents, kept up to date with its files. */
export interface ServedTls {
  readonly server: TlsServerName;
  /** When the current certificate expires, milliseconds since the epoch. */
  expiresAt(): number;
  /** Why the files cannot be used at present; undefined while their content is in use. */
  problem(): string | undefined;
  stop(): void;
}

export interface FollowTlsOptions {
  readonly server: TlsServerName;
  readonly source: TlsSource;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "error">;
  /** Called with each pair that replaces another. */
  onRenewed(tls: ServerOptions): void;
}

/**
 * Files are polled, not watched: in a Secret's folder only a link changes, and reading two small files costs nothing. More often
 * than each minute, since after a renewal of the authority callers are refused until we have the new pair.
 */
const PERIOD_MS = 10_000;

/**
 * Polls the files, and renews our own pair before it expires. If the files cannot be used, the last pair stays in use, and the
 * problem is logged once.
 */
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

/** Formats a time: `2027-03-01T10:00:00.000Z`. */
function dayOf(at: number): string {
  return new Date(at).toISOString();
}
