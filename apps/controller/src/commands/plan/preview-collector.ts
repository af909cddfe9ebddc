import { objectName } from "@cloudwright/core/model/object-ref";
import { factsOf } from "@cloudwright/core/model/reason";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import type { RunEnd } from "@cloudwright/core/model/run";
import type { Recorder } from "@cloudwright/core/reconcile/ports";

/** Keeps the newest run of each object and controller, and which of them the controller would retry at once. */
export class PreviewCollector implements Recorder {
  readonly #seen = new Map<string, Seen>();

  append(record: LedgerRecord): void {
    if (record.type !== "run.end") return;
    const key = keyOf(record);
    this.#seen.set(key, { run: record, looks: (this.#seen.get(key)?.looks ?? 0) + 1 });
  }

  /** Returns the runs by controller, kind and name, without objects that were already deleted and left nothing behind. */
  runs(): readonly RunEnd[] {
    return [...this.#seen.entries()]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { run }]) => run)
      .filter(({ reason, changes }) => reason.code !== "ObjectGone" || changes.length > 0);
  }

  /** Reports whether an object has failed only once, or still needs the second proof for a deletion. */
  isDueAgain(): boolean {
    return [...this.#seen.values()].some(isDueAgain);
  }

  /** Describes the progress, as the middle of a sentence. */
  progress(): string {
    const due = [...this.#seen.values()].find(isDueAgain);
    if (due === undefined) return `${this.#seen.size} objects have been observed so far`;
    return `${objectName(due.run.object)} still has to be observed once more`;
  }
}

interface Seen {
  readonly run: RunEnd;
  readonly looks: number;
}

/** A first failure may be temporary; a second one is final. */
const ENOUGH_FAILURES = 2;
/** The two proofs of absence, and one failure between them. */
const ENOUGH_PREVIEWS = 3;

function isDueAgain({ run: { outcome, attempt, next }, looks: previews }: Seen): boolean {
  if (outcome === "failed") return attempt < ENOUGH_FAILURES;
  if (next.kind !== "waiting" || previews >= ENOUGH_PREVIEWS) return false;
  return factsOf(next.reason.code).needsProof === true;
}

function keyOf({ controller, object }: RunEnd): string {
  return `${controller} ${object.kind} ${objectName(object)}`;
}
