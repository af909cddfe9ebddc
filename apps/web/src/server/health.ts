import { ledger } from "./ledger.ts";
import { log } from "./log.ts";

export interface Health {
  readonly status: "ok" | "degraded";
  readonly database: "ok" | "unreachable";
}

const PATIENCE_MS = 2_000;

/** Whether this process serves and reaches its database. It serves without one too, so that the page can say so. */
export async function health(): Promise<Health> {
  try {
    await withinPatience(ledger().pool.query("SELECT 1"));
    return { status: "ok", database: "ok" };
  } catch (error) {
    log.warn("The health check cannot reach the database", {
      error: error instanceof Error ? error.message : String(error),
    });
    return { status: "degraded", database: "unreachable" };
  }
}

async function withinPatience(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The database gave no answer within ${PATIENCE_MS} ms.`)),
      PATIENCE_MS,
    );
  });
  try {
    await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
