import type { Reason } from "../../reason.ts";

/** A reason, and how an operator reads it. */
export type WordedCause = [reason: Reason, wanted: string];
