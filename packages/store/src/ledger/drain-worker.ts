import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { errorFields } from "../database/log.ts";
import { contentsOf, decodeLines, LONGEST_LINE_BYTES } from "../spool/decode-lines.ts";
import { interruptOrphans } from "../sql/upkeep.ts";
import { kindOfFailure, lazyConnection } from "./connection.ts";
import type { DrainReply, DrainRequest, DrainResult, DrainWorkerData } from "./drain-thread.ts";
import { ledgerSink } from "./sink.ts";

/*
 * The thread that does all the work of writing the ledger: reading JSON, checking records and talking to the database. It handles one
 * request after the other, and keeps nothing between them except the connection.
 */

/** A lower priority than that of the reconciling thread. */
const NICE = 10;
/** Each message wakes the reconciling thread, so not every answer of the database is worth one. */
const SIGN_EVERY_MS = 200;
giveWay();
const { databaseUrl } = workerData as DrainWorkerData;
let hasHeard = false;
const connection = lazyConnection(databaseUrl, () => {
  hasHeard = true;
});
const sink = ledgerSink(connection);

reply({ kind: "heard" });
parentPort?.on("message", (request: DrainRequest) => {
  answer(request).then(reply, (error: unknown) => {
    connection.drop();
    const failure = { kind: kindOfFailure(error), ...errorFields(error) };
    reply({ kind: "failed", id: request.id, failure });
  });
});

async function answer(request: DrainRequest): Promise<DrainReply> {
  hasHeard = false;
  // `setImmediate`, so that answers that arrived while this thread had no CPU are read first and do not count as silence.
  const signs = setInterval(() => setImmediate(giveSign), SIGN_EVERY_MS);
  try {
    return { kind: "done", id: request.id, result: await carryOut(request) };
  } finally {
    clearInterval(signs);
  }
}

function giveSign(): void {
  reply(hasHeard ? { kind: "heard" } : { kind: "waits", ms: SIGN_EVERY_MS });
  hasHeard = false;
}

async function carryOut(request: DrainRequest): Promise<DrainResult | undefined> {
  switch (request.kind) {
    case "write":
      return write(request.lines, request.openRuns);
    case "interruptOrphans":
      await interruptOrphans(await connection.client());
      return undefined;
  }
}

async function write(lines: Uint8Array, openRuns: readonly string[]): Promise<DrainResult> {
  const decoded = decodeLines(lines);
  const { records, refused } = await sink.write(decoded.values);
  return {
    records,
    refused: [...refused, ...decoded.tooLong.map(tooLongSentence)],
    contents: contentsOf(decoded, openRuns),
  };
}

function tooLongSentence(bytes: number): string {
  return `a record of ${bytes} bytes is too long: at most ${LONGEST_LINE_BYTES} are read`;
}

function reply(message: DrainReply): void {
  parentPort?.postMessage(message);
}

/**
 * Lets reconciling go first where CPU time is scarce. On Linux a thread has its own priority; elsewhere this would lower the whole process.
 */
function giveWay(): void {
  if (process.platform === "linux") setPriority(NICE);
}
