import { t } from "@cloudwright/core/model/language/text";
import { emittedEventSchema } from "@cloudwright/core/model/run";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { OperationError } from "../../operations/errors.ts";
import { isUuid } from "../../sql/lists/cursor.ts";
import { eventsAround, findRun, runRow } from "../../sql/runs/runs.ts";
import { readJson } from "../../sql/stored-json.ts";
import type { RunEvents } from "../../views/run-events.ts";
import type { RunDetailInput } from "./runs.ts";

/** How long before and after a run the Events of its object are shown beside its own. */
const MARGIN_MS = 600_000;

const storedEvents = z.array(emittedEventSchema);

/** Returns the Events of a run, and those of its object around that time. Throws OperationError NotFound. */
export async function runEvents(db: Database, input: RunDetailInput): Promise<RunEvents> {
  const run = isUuid(input.id) ? await findRun(db.pool, input) : undefined;
  if (run === undefined) {
    throw new OperationError(
      "NotFound",
      () => t`No such run in this cluster; old runs are removed.`,
    );
  }
  const { startedAt, durationMs = 0 } = runRow(run);
  const span = { from: startedAt - MARGIN_MS, to: startedAt + durationMs + MARGIN_MS };
  const emitting = await eventsAround(db.pool, run, span);
  const events = emitting.flatMap(({ id, controller, startedAt: start, events: stored }) =>
    readJson(storedEvents, stored, []).map(({ offsetMs, ...event }) => ({
      ...event,
      ...{ at: start + offsetMs, runId: id, controller },
    })),
  );
  return {
    events: events.toSorted((left, right) => left.at - right.at),
    isRecorded: run.events !== null,
    ...span,
  };
}
