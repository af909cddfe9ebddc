import type { Database } from "@cloudwright/store/database/database";
import { listen, type Wake } from "@cloudwright/store/database/listen";
import { PAGES_CHANNEL, parseTopicWake } from "@cloudwright/store/database/topics";
import { watchedWebhooks } from "@cloudwright/store/webhooks/alarms";
import { dropOldDeliveries } from "@cloudwright/store/webhooks/deliveries";
import type { SendOptions } from "./delivery.ts";
import { paced } from "./paced.ts";
import { sendDue } from "./send-due.ts";
import { watchAll } from "./watch-all.ts";
import { chainWatch } from "./watch-chains.ts";
import { ACCOUNTS, asksFor, concerns } from "./watch-clusters.ts";

export interface SenderOptions extends SendOptions {
  readonly db: Database;
  readonly databaseUrl: string;
  /** Stops the sender. */
  readonly signal: AbortSignal;
  readonly log: {
    info(message: string): void;
    warn(message: string, fields: { readonly error: string }): void;
  };
  /** The minimum time between two checks of the same cluster. */
  readonly paceMs?: number;
}

const PACE_MS = 2_000;
const UPKEEP_EVERY_MS = 3_600_000;

/**
 * Notifies webhooks when conditions begin and end. Of all dashboard processes on one database, one does this; when its connection is lost,
 * the next takes over and checks everything again. It checks when the database reports a change and when a known deadline passes.
 */
export function startSender(options: SenderOptions): void {
  const { databaseUrl, signal, log } = options;
  let leads = false;
  const onError = (error: unknown) => {
    if (signal.aborted) return;
    log.warn("Webhooks could not be notified; trying again", { error: String(error) });
  };
  const tasks = tasksOf({ ...options, mayGoOn: () => leads, onError });
  const rest = () => {
    leads = false;
    tasks.rest();
  };
  const begin = () => {
    if (!leads) log.info("This process notifies webhooks");
    leads = true;
    tasks.beginAnew();
  };
  listen({
    ...{ databaseUrl, channels: [PAGES_CHANNEL], signal, alone: "cloudwright webhooks" },
    handler: (wake) => (wake.resync ? begin() : tasks.react(wake)),
    onError: (error) => {
      rest();
      onError(error);
    },
  });
  signal.addEventListener("abort", rest, { once: true });
}

interface TasksOptions extends SenderOptions {
  readonly mayGoOn: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** The tasks of the leading process, each at its own pace. */
function tasksOf(options: TasksOptions) {
  const { db, now, signal, mayGoOn, onError, paceMs = PACE_MS } = options;
  const task = (work: () => Promise<number | undefined>) =>
    paced({ work: async () => (mayGoOn() ? work() : undefined), paceMs, now, onError });
  const chains = chainWatch(db, now);
  const sending = sendDue(options);
  const clusters = watchAll({ db, now, chains, onAdded: sending.poke });
  const watching = task(clusters.look);
  const verifying = task(async () => {
    const wanted = await chainsToVerify(db);
    const verified = await chains.verifyDue(wanted, signal);
    for (const chain of verified) clusters.mark(chain);
    if (verified.length > 0) watching.poke();
    return chains.nextAt(wanted);
  });
  const tidying = task(async () => {
    await dropOldDeliveries(db, now());
    return now() + UPKEEP_EVERY_MS;
  });
  const beginAnew = () => {
    const everything = [watching, verifying, sending];
    clusters.markAll().then(() => everything.forEach((each) => void each.poke()), onError);
  };
  return {
    beginAnew() {
      tidying.poke();
      beginAnew();
    },
    react(wake: Extract<Wake, { resync: false }>) {
      const { topic, cluster = ACCOUNTS } = parseTopicWake(wake.payload) ?? {};
      // A webhook, or one of its messages, has changed.
      if (topic === "webhooks") beginAnew();
      if (topic !== "nodes" && topic !== "instances" && topic !== "audit") return;
      clusters.mark(cluster);
      watching.poke();
      if (topic === "audit") verifying.poke();
    },
    rest() {
      for (const each of [watching, verifying, tidying, sending]) each.rest();
    },
  };
}

/** Returns the chains of clusters and accounts that some webhook asks for. */
async function chainsToVerify(db: Database): Promise<readonly string[]> {
  const webhooks = (await watchedWebhooks(db)).filter((each) => asksFor([each], "chain"));
  if (webhooks.length === 0) return [];
  const known = await db.prisma.cluster.findMany({ select: { id: true } });
  return [...known.map(({ id }) => id), ACCOUNTS].filter((chain) =>
    webhooks.some((each) => concerns(each, chain)),
  );
}
