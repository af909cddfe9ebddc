import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { Clock } from "@cloudwright/core/model/time";
import type { Claimant, IntentSource } from "@cloudwright/core/reconcile/ports";
import type { Database } from "../database/database.ts";
import { listen } from "../database/listen.ts";
import { errorFields, type StoreLog } from "../database/log.ts";
import { INTENTS_CHANNEL } from "../database/topics.ts";
import { silenceOfLeader } from "../sql/intents.ts";
import { claimIntent, openIntents, reportIntent } from "./statements.ts";

export interface IntentSourceOptions {
  readonly db: Database;
  /** For the listening connection, which is not part of the pool. */
  readonly databaseUrl: string;
  readonly cluster: string;
  /** Whether to offer only intents for which there is no acting controller. */
  readonly dryRun?: boolean;
  readonly clock: Clock;
  readonly log: StoreLog;
}

const POLL_MS = 5_000;
const REPORT_RETRY_MS = 1_000;
/** A report that the database does not accept within ten minutes is abandoned: the next leader claims the intent again. */
const REPORT_ATTEMPTS = 600;

/**
 * Watches the intents of one cluster, by LISTEN and a poll every 5 s. An unclaimed intent is offered at every poll; one that another
 * process has claimed is offered once per claim. Overdue ones end as *expired*. A claim that fails because of the database returns false:
 * the intent is offered again.
 */
export function createIntentSource(options: IntentSourceOptions): IntentSource {
  const own = ownClaims();
  return {
    watch: (handler, signal) => watch({ ...options, own }, handler, signal),
    claim: (intent, claimant) => claim({ ...options, own }, intent, claimant),
    async report(intent, claimant, report) {
      return untilTaken(options, () => reportIntent(options.db, { intent, claimant, report }));
    },
  };
}

type Context = IntentSourceOptions & { readonly own: OwnClaims };

async function claim(context: Context, intent: Intent, claimant: Claimant): Promise<boolean> {
  const { db, log, own } = context;
  if (own.has(intent.id, claimBy(claimant))) return false;
  own.add(intent.id, claimBy(claimant));
  try {
    const claimed = await claimIntent(db, intent, claimant);
    if (!claimed) own.remove(intent.id);
    return claimed;
  } catch (error) {
    own.remove(intent.id);
    log.warn({ ...errorFields(error), intent: intent.id }, "Could not claim an action");
    return false;
  }
}

async function untilTaken(
  { clock, log }: IntentSourceOptions,
  report: () => Promise<boolean>,
): Promise<boolean> {
  for (let attempt = 1; attempt <= REPORT_ATTEMPTS; attempt++) {
    try {
      return await report();
    } catch (error) {
      log.warn({ ...errorFields(error), attempt }, "Could not report on an action");
    }
    await new Promise<void>((resolve) => clock.after(REPORT_RETRY_MS, resolve));
  }
  return false;
}

function watch(context: Context, handler: (intent: Intent) => void, signal: AbortSignal): void {
  const { cluster, clock, log } = context;
  const choose = createOffers(context.own);
  const preview = coalesced(async () => {
    if (signal.aborted) return;
    try {
      const open = await openFor(context);
      if (!signal.aborted) for (const intent of choose(open)) handler(intent);
    } catch (error) {
      log.warn(errorFields(error), "Could not look for actions; trying again");
    }
  });
  let cancelPoll: () => void = () => undefined;
  const poll = () => {
    preview();
    cancelPoll = clock.after(POLL_MS, poll);
  };
  signal.addEventListener("abort", () => cancelPoll(), { once: true });
  listen({
    databaseUrl: context.databaseUrl,
    channels: [INTENTS_CHANNEL],
    handler: (wake) => {
      if (wake.resync || wake.payload === cluster) preview();
    },
    signal,
  });
  if (!signal.aborted) poll();
}

async function openFor({ db, cluster, dryRun }: Context): Promise<readonly Intent[]> {
  const open = await openIntents(db, cluster);
  return dryRun ? leftForShadow(db, cluster, open) : open;
}

/** Runs the work, never twice at once; a call while it runs makes it run once more afterwards. */
function coalesced(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => {
    again = true;
    if (running) return;
    running = true;
    void run();
  };
}

/** The intents that this process works on: they are neither offered nor claimed again. */
interface OwnClaims {
  has(intentId: string, claim: string): boolean;
  add(intentId: string, claim: string): void;
  remove(intentId: string): void;
}

function ownClaims(): OwnClaims {
  const claims = new Map<string, string>();
  return {
    has: (intentId, claim) => claims.get(intentId) === claim,
    add: (intentId, claim) => claims.set(intentId, claim),
    remove: (intentId) => claims.delete(intentId),
  };
}

/**
 * Chooses which open intents to offer now: an unclaimed one every time, one that another process has claimed once per claim, and this
 * process's own never.
 */
function createOffers(own: OwnClaims): (open: readonly Intent[]) => readonly Intent[] {
  let offered = new Map<string, string>();
  return (open) => {
    const chosen = open.filter(
      (intent) => isUnclaimed(intent) || isNews(intent, offered.get(intent.id), own),
    );
    offered = new Map(open.map((intent) => [intent.id, claimText(intent)]));
    return chosen;
  };
}

function claimBy(claimant: Claimant): string {
  return `${claimant.identity}/${claimant.leaseTransitions}`;
}

function isUnclaimed(intent: Intent): boolean {
  return intent.state === "requested";
}

function isNews(intent: Intent, offeredFor: string | undefined, own: OwnClaims): boolean {
  const claim = claimText(intent);
  return offeredFor !== claim && !own.has(intent.id, claim);
}

function claimText(intent: Intent): string {
  return claimBy({
    identity: intent.claimedBy ?? "",
    leaseTransitions: intent.claimedTransition ?? -1,
  });
}

/**
 * Returns the open intents that are left for a dry run: none while an acting controller leads this cluster. Previews can be answered once
 * that controller is silent; all others only when it has been absent so long that nobody would carry them out.
 */
async function leftForShadow(
  db: Database,
  cluster: string,
  open: readonly Intent[],
): Promise<readonly Intent[]> {
  if (open.length === 0) return open;
  const silentMs = await silenceOfLeader(db, cluster);
  return open.filter(({ kind }) => silentMs > (kind === "preview" ? SILENT_MS : ABSENT_MS));
}

/** Three heartbeats. */
const SILENT_MS = 15_000;
const ABSENT_MS = 3_600_000;
