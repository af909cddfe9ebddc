import type { AUDIT_RESULTS } from "@cloudwright/core/model/audit/audit";
import type { Presentation } from "../../components/presentation/states.ts";

export const RESULT_PRESENTATION = {
  applied: { label: "Applied", shape: "disc", tone: "ok", help: "It was done." },
  refused: {
    label: "Refused",
    shape: "octagon",
    tone: "stuck",
    help: "It was not allowed or not possible; nothing was done.",
  },
  failed: { label: "Failed", shape: "cross", tone: "stuck", help: "It was tried and failed." },
  unknown: {
    label: "Unknown",
    shape: "dashed-circle",
    tone: "unknown",
    help: "It was requested, but the answer was lost: it may have been done. The next check will show.",
  },
} as const satisfies Record<(typeof AUDIT_RESULTS)[number], Presentation>;

/** A newer release may know results that this one does not. */
export function resultPresentation(result: string): Presentation {
  const known = Object.entries(RESULT_PRESENTATION).find(([name]) => name === result)?.[1];
  return known ?? { label: result, shape: "dashed-circle", tone: "unknown", help: result };
}
