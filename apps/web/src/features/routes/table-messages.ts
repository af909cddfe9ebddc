import { t } from "@cloudwright/core/model/language/text";
import type { RouteForecast, RouteTableView } from "@cloudwright/store/views/routes";
import { formatCount } from "../../components/presentation/format-text.ts";
import { countOf } from "../../platform/wording/action-title.ts";

const YEAR_DAYS = 365;

/** Returns `50 of 50 routes`, or `12 routes` if the cloud reports no limit. */
export function usedText({ used, capacity }: Pick<RouteTableView, "used" | "capacity">): string {
  if (capacity === undefined) return countOf(used, "route");
  return t`${formatCount(used)} of ${countOf(capacity, "route")}`;
}

/** Counts its routes by owner: `80 ours, 1 more wanted, 3 not ours.`, without zero counts. */
export function sharesText({
  ours,
  foreignCount,
  missing,
}: Pick<RouteTableView, "ours" | "foreignCount" | "missing">): string {
  const [own, others] = [formatCount(ours), formatCount(foreignCount)];
  if (foreignCount === 0) {
    return missing === 0 ? t`${own} ours.` : t`${own} ours, ${formatCount(missing)} more wanted.`;
  }
  return missing === 0
    ? t`${own} ours, ${others} not ours.`
    : t`${own} ours, ${formatCount(missing)} more wanted, ${others} not ours.`;
}

/** Says how many more nodes fit: `no more nodes fit`, `12 more nodes fit`. */
export function roomText({ forecast }: Pick<RouteTableView, "forecast">): string {
  if (forecast === undefined) return t`the cloud reports no limit`;
  const { nodesFit, routesPerNode } = forecast;
  if (nodesFit === 0) return t`no more nodes fit`;
  const room = nodesFit === 1 ? t`1 more node fits` : t`${formatCount(nodesFit)} more nodes fit`;
  return routesPerNode === 1 ? room : t`${room} with ${routesPerNode} routes each`;
}

/** Says how long that lasts at the growth of the last days; "" if nothing can be said. */
export function growthText({ forecast }: Pick<RouteTableView, "forecast">): string {
  const growth = forecast?.growth;
  if (forecast === undefined || growth === undefined || forecast.nodesFit === 0) return "";
  const days = Math.round(growth.days);
  const over = days === 1 ? t`the last day` : t`the last ${days} days`;
  if (forecast.fullInDays === undefined) return t`It has not grown in ${over}.`;
  return t`At the growth rate of ${over}, ${perDay(growth.nodesPerDay)}, ${lasts(forecast)}.`;
}

function lasts({ fullInDays = 0 }: RouteForecast): string {
  if (fullInDays > YEAR_DAYS) return t`it lasts for more than a year`;
  const days = Math.max(1, Math.floor(fullInDays));
  return t`it is full in about ${countOf(days, "day")}`;
}

function perDay(nodes: number): string {
  if (nodes < 0.1) return t`less than one node in ten days`;
  const count = nodes < 10 ? Number(nodes.toFixed(1)) : Math.round(nodes);
  return count === 1 ? t`1 node a day` : t`${formatCount(count)} nodes a day`;
}

/** Reports whether a user should look at it soon: it is 90 % full, or will be full within a week. */
export function isTight({ used, capacity, forecast }: RouteTableView): boolean {
  if (capacity === undefined) return false;
  const soon = forecast?.fullInDays !== undefined && forecast.fullInDays < 7;
  return soon || used >= 0.9 * capacity;
}
