import { objectName } from "@cloudwright/core/model/object-ref";
import { factsOf } from "@cloudwright/core/model/reason";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";

/** What the log has noted of each object, and for which controller: all those that report the same are one line. */
export class RunNotes {
  readonly #noted = new Map<string, { readonly controller: string; readonly what: string }>();

  /** Whether the outcome has something worth a note that the log does not have yet; then it has it from now on. */
  isNews({ controller, object, reason }: RunOutcome): boolean {
    const key = `${object.kind} ${objectName(object)}`;
    const noted = this.#noted.get(key);
    if (factsOf(reason.code).isNoted !== true) {
      if (noted?.controller === controller) this.#noted.delete(key);
      return false;
    }
    const what = JSON.stringify([object.uid, reason]);
    if (noted?.what === what) return false;
    this.#noted.set(key, { controller, what });
    return true;
  }
}
