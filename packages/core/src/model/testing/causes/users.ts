import type { WordedCause } from "./worded-cause.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);

/** Causes about what users requested or hold back, and those of every loop. */
export const CAUSES_OF_USERS: readonly WordedCause[] = [
  [
    { code: "HeldByAnnotation", by: "ana", why: "disk check." },
    "Nothing is written to it, as ana asked: disk check",
  ],
  [
    { code: "HeldByAnnotation", by: "ana", why: "disk check", untilMs: NOW },
    "Nothing is written to it until 2026-11-21 03:00 UTC, as ana asked: disk check",
  ],
  [
    { code: "HeldByAnnotation" },
    "Nothing is written to it, as its annotation cloudwright.io/hold asks",
  ],
  [{ code: "PersonAsked", by: "ana", why: "INC-88", intentId: "i-1" }, "Ana asked for it: INC-88"],
  [
    { code: "HoldExpired", by: "ana", untilMs: NOW },
    "The hold by ana was set to end at 2026-11-21 03:00 UTC",
  ],
  [
    { code: "FreedUnfinished", by: "ana", untilMs: NOW, why: "INC-88" },
    "Ana overrode its taint before it was initialised, until 2026-11-21 03:00 UTC: INC-88",
  ],
  [
    { code: "OverrideExpired", by: "ana", untilMs: NOW },
    "Ana overrode its taint until 2026-11-21 03:00 UTC, and it is still not initialised",
  ],
  [{ code: "NothingToDo", what: "it is not held" }, "It is not held"],
  [{ code: "WishRefused", problem: "its end is past" }, "Its end is past"],
  [
    { code: "ControllerPaused", by: "ana", untilMs: NOW, why: "migration" },
    "Its controller is paused by ana until 2026-11-21 03:00 UTC: migration",
  ],
  [
    {
      code: "DeletionGuardHeld",
      provider: "sandbox",
      providerID: "sandbox://i-1",
      deleted: 5,
      limit: 5,
      windowMs: 600_000,
      held: 3,
    },
    "The deletion guard holds 3 deletions: sandbox says that sandbox://i-1 does not exist, and 5 of at most 5 nodes were deleted within 10 min",
  ],
  [
    { code: "ControlRecordUnavailable", message: "no such right" },
    "The ConfigMap cloudwright-controls cannot be used: no such right",
  ],
  [{ code: "RunInterrupted" }, "The controller stopped during this run"],
  [{ code: "Other", name: "NamespaceLabelled", text: "its label is there" }, "Its label is there"],
  [
    { code: "Unexplained", message: "x is not a function" },
    "Cause unknown; the last error was: x is not a function",
  ],
];
