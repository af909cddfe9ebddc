"use client";
import { actionOf } from "@cloudwright/core/model/actions/action";
import { useState } from "react";
import type { ActionChoice } from "../action-choice.ts";

export interface End {
  readonly lengthMs: number;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly until: number;
  choose(lengthMs: number): void;
}

/** Fixes the end when it is chosen, so that the plan shown and the plan confirmed are the same. */
export function useEnd(kind: ActionChoice["kind"], skewMs: number): End {
  const now = () => Math.floor((Date.now() - skewMs) / 1_000) * 1_000;
  const [end, setEnd] = useState(() => {
    const lengthMs = actionOf(kind).lengths?.usual ?? 0;
    return { lengthMs, until: now() + lengthMs };
  });
  return { ...end, choose: (lengthMs) => setEnd({ lengthMs, until: now() + lengthMs }) };
}
