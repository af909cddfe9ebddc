import type { KubeClient } from "@cloudwright/core/kube/client";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { ledgerChains } from "@cloudwright/store/audit/audit-chain";
import { connect } from "@cloudwright/store/database/database";
import { createIntentSource } from "@cloudwright/store/intents/intent-source";
import { type LedgerWriterStats, startLedgerWriter } from "@cloudwright/store/ledger/ledger-writer";
import { noteOwner } from "@cloudwright/store/roles/ledger-owner";
import { createRecorder } from "@cloudwright/store/spool/recorder";
import type { Spool } from "@cloudwright/store/spool/spool";
import { startUpkeep } from "@cloudwright/store/upkeep/upkeep";
import type { ProcessContext } from "../../wiring/process-context.ts";
import { openAnchor } from "./anchor-file.ts";
import { type Ledger, spoolStatus } from "./ledger.ts";
import { retentionNow } from "./retention.ts";

export interface DrainedSpool {
  readonly processContext: ProcessContext;
  readonly spool: Spool;
  readonly databaseUrl: string;
  readonly clusterUid: string;
  /** Reads users' settings. */
  readonly client: Pick<KubeClient, "get">;
}

/**
 * A database that stops responding is not waited for longer than this at the end: the records stay in the spool. On a busy
 * machine an answer may take a second.
 */
const SILENT_MS = 2_000;
/** Queries without an answer keep connections from being closed properly; they are closed when the process exits. */
const CLOSING_MS = 100;

const WAITING = "decisions wait in the spool";
/** What a verbose health answer says about the database. Anybody may read it, so it contains no text from the database. */
const NOTES: Readonly<Record<LedgerWriterStats["database"], string>> = {
  none: "nothing written to the database yet",
  written: "database connected",
  away: `degraded: the database is down, ${WAITING}`,
  schema: `degraded: the database lacks this release's schema, run cloudwright migrate; ${WAITING}`,
  login: `degraded: the database refuses this login, see the log and cloudwright database logins; ${WAITING}`,
  record: `degraded: the database refuses a record, see the log; ${WAITING}`,
};

/** Opens the ledger of a process with a database: drains the spool into it, and reads users' actions from it. */
export function drainIntoDatabase(parts: DrainedSpool): Ledger {
  const { spool, databaseUrl, clusterUid, client } = parts;
  const { flags, clock, random, log } = parts.processContext;
  const anchor = openAnchor(flags, clusterUid);
  const recorder = createRecorder(spool, clock);
  const writer = startLedgerWriter({ spool, databaseUrl, clock, random, log });
  const place = { client, namespace: flags["leader-elect-resource-namespace"] };
  const retention = () => retentionNow(place, flags);
  const upkeep = startUpkeep({ databaseUrl, retention, clock, random, log });
  const db = connect(databaseUrl, {
    max: 2,
    onIdleError: (error) => log.debug({ error: messageOf(error) }, "A database connection broke"),
  });
  const forgetOwner = noteOwner(db.pool, (note) => log.warn({}, note));
  return {
    recorder,
    intents: createIntentSource({
      db,
      databaseUrl,
      cluster: clusterUid,
      dryRun: flags["dry-run"],
      clock,
      log,
    }),
    audit: { chains: ledgerChains(db.pool, clusterUid), anchor },
    status: () => {
      const { database, refused, behindSince } = writer.stats();
      return {
        ...spoolStatus(spool),
        refused,
        lagMs: behindSince === undefined ? 0 : Math.max(0, clock.now() - behindSince),
        note: NOTES[database],
      };
    },
    stop: async (deadlineMs) => {
      forgetOwner();
      const ended = upkeep.stop();
      recorder.flush();
      await writer.stop({ mostMs: deadlineMs, silentMs: SILENT_MS });
      recorder.flush();
      spool.close();
      const late = new Promise<void>((resolve) => clock.after(CLOSING_MS, resolve));
      await Promise.race([Promise.all([ended, db.close()]), late]);
    },
  };
}
