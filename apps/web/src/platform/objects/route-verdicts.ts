import { t } from "@cloudwright/core/model/language/text";
import type { RouteVerdict } from "@cloudwright/core/model/records/route-record";
import type { Presentation } from "../../components/presentation/states.ts";

/** How the route to a pod range looks and reads (UX brief, section 7); shape and word distinguish them without the colour. */
export const VERDICT_PRESENTATION = {
  keep: {
    get label() {
      return t`In sync`;
    },
    shape: "disc",
    tone: "ok",
    isUsual: true,
    get help() {
      return t`The route is as it should be.`;
    },
  },
  add: {
    get label() {
      return t`To add`;
    },
    shape: "plus",
    tone: "waiting",
    get help() {
      return t`The route is about to be created.`;
    },
  },
  update: {
    get label() {
      return t`To update`;
    },
    shape: "turn",
    tone: "drifted",
    get help() {
      return t`The route leads to the wrong place and is being recreated.`;
    },
  },
  remove: {
    get label() {
      return t`To remove`;
    },
    shape: "minus",
    tone: "drifted",
    get help() {
      return t`No node needs the route any more; it is about to be deleted.`;
    },
  },
  missing: {
    get label() {
      return t`Missing`;
    },
    shape: "cross",
    tone: "stuck",
    get help() {
      return t`The route is needed but could not be created; the reason says why.`;
    },
  },
  foreign: {
    get label() {
      return t`Not ours`;
    },
    shape: "dotted-ring",
    tone: "unknown",
    get help() {
      return t`A foreign route has this destination; it is left untouched.`;
    },
  },
  blackhole: {
    get label() {
      return t`Blackhole`;
    },
    shape: "slashed-ring",
    tone: "stuck",
    get help() {
      return t`The route leads to a machine that is gone.`;
    },
  },
} as const satisfies Record<RouteVerdict, Presentation>;
