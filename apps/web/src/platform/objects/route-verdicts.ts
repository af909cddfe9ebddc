import { t } from "@cloudwright/core/model/language/text";
import type { RouteVerdict } from "@cloudwright/core/model/records/route-record";
import { presentations } from "../../components/presentation/states.ts";

/** How the route to a pod range looks and reads (UX brief, section 7); shape and word distinguish the verdicts without colour. */
export const VERDICT_PRESENTATION = presentations<RouteVerdict>({
  keep: {
    label: () => t`In sync`,
    shape: "disc",
    tone: "ok",
    isUsual: true,
    help: () => t`The route is as it should be.`,
  },
  add: {
    label: () => t`To add`,
    shape: "plus",
    tone: "waiting",
    help: () => t`The route is about to be created.`,
  },
  update: {
    label: () => t`To update`,
    shape: "turn",
    tone: "drifted",
    help: () => t`The route leads to the wrong place and is being recreated.`,
  },
  remove: {
    label: () => t`To remove`,
    shape: "minus",
    tone: "drifted",
    help: () => t`No node needs the route any more; it is about to be deleted.`,
  },
  missing: {
    label: () => t`Missing`,
    shape: "cross",
    tone: "stuck",
    help: () => t`The route is needed but could not be created; the reason says why.`,
  },
  foreign: {
    label: () => t`Not ours`,
    shape: "dotted-ring",
    tone: "unknown",
    help: () => t`A foreign route has this destination; it is left untouched.`,
  },
  blackhole: {
    label: () => t`Blackhole`,
    shape: "slashed-ring",
    tone: "stuck",
    help: () => t`The route leads to a machine that is gone.`,
  },
});
