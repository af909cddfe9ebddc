import { formatDuration } from "../../model/language/duration.ts";
import type { Clock } from "../../model/time.ts";
import { resourceName } from "../calls/resource-path.ts";
import type { Target } from "../client.ts";
import { KubeError } from "../errors.ts";

export interface SilenceGuard {
  /** Aborts with the caller's signal, or when nothing was heard for too long. */
  readonly signal: AbortSignal;
  readonly silent: boolean;
  heard(): void;
  error(target: Target): KubeError;
  clear(): void;
}

export interface SilenceGuardOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly silenceLimitMs: number;
}

/**
 * Detects connections whose other end has silently disappeared. Hearing something costs no timer: one timer checks,
 * when it fires, how long the silence has been.
 */
export function createSilenceGuard(options: SilenceGuardOptions): SilenceGuard {
  const { clock, silenceLimitMs } = options;
  const controller = new AbortController();
  let heardAt = clock.monotonic();
  let silent = false;
  let cancel = clock.after(silenceLimitMs, preview);
  const stop = () => controller.abort();
  if (options.signal.aborted) stop();
  options.signal.addEventListener("abort", stop, { once: true });

  function preview(): void {
    const leftMs = heardAt + silenceLimitMs - clock.monotonic();
    if (leftMs > 0) {
      cancel = clock.after(leftMs, preview);
      return;
    }
    silent = true;
    controller.abort();
  }

  return {
    signal: controller.signal,
    get silent() {
      return silent;
    },
    heard: () => {
      heardAt = clock.monotonic();
    },
    error: (target) =>
      new KubeError(
        "Unavailable",
        `nothing was received for ${formatDuration(silenceLimitMs)}, so the connection is considered broken and is reopened`,
        { verb: "watch", resource: resourceName(target), status: 0 },
      ),
    clear: () => {
      cancel();
      options.signal.removeEventListener("abort", stop);
    },
  };
}
