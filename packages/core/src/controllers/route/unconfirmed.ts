import type { ReasonOf } from "../../model/reason.ts";
import type { Unconfirmed } from "./observed.ts";

/** When the cloud is asked a second time about routes that look stale all at once. */
export const CONFIRM_AFTER_MS = 1_000;

export function isUnconfirmed(unconfirmed: Unconfirmed | undefined, id: string): boolean {
  return unconfirmed?.ids.has(id) === true;
}

export function confirmation({ ids, of }: Unconfirmed): ReasonOf<"RouteDeletionsUnconfirmed"> {
  return { code: "RouteDeletionsUnconfirmed", routes: ids.size, of };
}
