import { type Action, callsOf } from "@cloudwright/core/model/action";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { countOf } from "../../wording/action-title.ts";
import type { ShownPlan } from "./plan-facts.ts";

/** What an action costs of the cloud's limit, and what is left of it: `Uses about 2 cloud calls (188 left this minute).` */
export function callsText(
  action: Action,
  plan: Pick<ShownPlan, "changes" | "loops">,
  cloud: ControllerInstanceView["cloud"],
): string {
  const calls =
    callsOf(action) * (plan.loops?.length ?? 1) +
    plan.changes.filter(({ system }) => system === "cloud").length;
  if (calls === 0) return "Uses no cloud call.";
  return `Uses about ${countOf(calls, "cloud call")} (${leftText(cloud)}).`;
}

function leftText(cloud: ControllerInstanceView["cloud"]): string {
  if (cloud === undefined) return "the number left is not known";
  const { allowedPerSecond, callsLastMinute } = cloud;
  if (allowedPerSecond === undefined) {
    return `${callsLastMinute.toLocaleString("en-GB")} were made in the last minute, no limit is known`;
  }
  const left = Math.max(0, Math.round(allowedPerSecond * 60 - callsLastMinute));
  return `${left.toLocaleString("en-GB")} left this minute`;
}
