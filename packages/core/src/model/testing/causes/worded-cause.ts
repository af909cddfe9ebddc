import type { Reason } from "../../reason.ts";

/** A reason, and the text that an operator reads. */
export type WordedCause = [reason: Reason, wanted: string];
