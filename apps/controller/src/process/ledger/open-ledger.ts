import type { KubeClient } from "@cloudwright/core/kube/client";
import type { Clock } from "@cloudwright/core/model/time";
import { createRecorder } from "@cloudwright/store/spool/recorder";
import type { Spool } from "@cloudwright/store/spool/spool";
import { databaseUrlOf, databaseUrlProblems } from "../../flags/database-url.ts";
import { PlainError } from "../../plain-error.ts";
import { isIdentified } from "../../wiring/cluster/cluster-identity.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import { type Ledger, spoolStatus } from "./ledger.ts";
import { openSpoolFolder } from "./spool-folder.ts";

/**
 * Opens the spool, and drains it if a database is given; `client` reads users' settings. Throws PlainError for a `--spool-dir`
 * that cannot be used.
 */
export async function openLedger(
  processContext: ProcessContext,
  clusterUid: string,
  client: Pick<KubeClient, "get">,
): Promise<Ledger> {
  const { flags, clock, hostname, identity, log } = processContext;
  if (!isIdentified(clusterUid)) return logAlone("log only, as the cluster's identity is unknown");
  const databaseUrl = databaseUrlOf(processContext);
  const spool = openSpoolFolder({
    folder: flags["spool-dir"],
    maxBytes: flags["spool-max-bytes"],
    clusterUid,
    instance: identity,
    hostname,
    clock,
    log,
  });
  if (spool === undefined) {
    log.warn(
      {},
      "No spool directory is writable, so decisions are kept only in the log; set --spool-dir",
    );
    return logAlone("log only");
  }
  if (databaseUrl === undefined) return withoutDatabase(spool, clock);
  // The database client makes up most of the program: a controller without a database does not load it.
  const { drainIntoDatabase } = await import("./ledger-database.ts");
  return drainIntoDatabase({ processContext, spool, databaseUrl, clusterUid, client });
}

/** Throws PlainError for an invalid address in the environment; flags have been checked before. */
export async function checkDatabaseUrl(
  processContext: Pick<ProcessContext, "flags">,
): Promise<void> {
  const [problem] = databaseUrlProblems("DATABASE_URL", databaseUrlOf(processContext) ?? "");
  if (problem !== undefined) throw new PlainError(problem);
}

function withoutDatabase(spool: Spool, clock: Clock): Ledger {
  const recorder = createRecorder(spool, clock);
  return {
    recorder,
    intents: undefined,
    audit: undefined,
    status: () => ({ ...spoolStatus(spool), lagMs: 0, refused: 0, note: "spool only" }),
    stop: async () => {
      recorder.flush();
      spool.close();
    },
  };
}

/** Keeps decisions only in the log. */
function logAlone(why: string): Ledger {
  let dropped = 0;
  return {
    recorder: {
      append: () => {
        dropped += 1;
      },
    },
    intents: undefined,
    audit: undefined,
    status: () => ({ spoolBytes: 0, lagMs: 0, refused: 0, dropped, note: `degraded: ${why}` }),
    stop: () => Promise.resolve(),
  };
}
