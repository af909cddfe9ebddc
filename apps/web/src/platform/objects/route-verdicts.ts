import type { RouteVerdict } from "@cloudwright/core/model/records/route-record";
import type { Presentation } from "../../components/presentation/states.ts";

/** How the route to a pod range looks and reads (UX brief, section 7); shape and word distinguish them without the colour. */
export const VERDICT_PRESENTATION = {
  keep: { label: "In sync", shape: "disc", tone: "ok", help: "The route is as it should be." },
  add: {
    label: "To add",
    shape: "plus",
    tone: "waiting",
    help: "The route is about to be created.",
  },
  update: {
    label: "To update",
    shape: "turn",
    tone: "drifted",
    help: "The route leads to the wrong place and is being recreated.",
  },
  remove: {
    label: "To remove",
    shape: "minus",
    tone: "drifted",
    help: "No node needs the route any more; it is about to be deleted.",
  },
  missing: {
    label: "Missing",
    shape: "cross",
    tone: "stuck",
    help: "The route is needed but could not be created; the reason says why.",
  },
  foreign: {
    label: "Not ours",
    shape: "dotted-ring",
    tone: "unknown",
    help: "Somebody else's route has this destination; it is left untouched.",
  },
  blackhole: {
    label: "Blackhole",
    shape: "slashed-ring",
    tone: "stuck",
    help: "The route leads to a machine that is gone.",
  },
} as const satisfies Record<RouteVerdict, Presentation>;
