import { environment } from "../environment.ts";
import { ledger } from "../ledger.ts";
import { log } from "../log.ts";
import { processWide } from "../process-wide.ts";
import { shutdown } from "../shutdown.ts";
import type { SendOptions } from "./delivery.ts";
import { startSender } from "./sender.ts";

/** Returns this process's settings for sending. Throws what `environment` throws. */
export function sendOptions(): SendOptions {
  const { authSecret, publicOrigin, privateWebhooks } = environment();
  return {
    ...{ authSecret, publicOrigin, privateAllowed: privateWebhooks },
    ...{ now: Date.now, random: Math.random, signal: shutdown().signal },
  };
}

/**
 * Notifies webhooks as long as this process lives. A process without usable settings logs that here, and reports it with its first page.
 */
export function notifyWebhooks(): void {
  processWide("webhooks", () => {
    try {
      const { databaseUrl } = environment();
      const { signal } = shutdown();
      startSender({ ...sendOptions(), db: ledger(), databaseUrl, signal, log });
    } catch (error) {
      log.error("Webhooks are not notified", { error: String(error) });
    }
    return true;
  });
}
