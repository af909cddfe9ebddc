import type { ClusterHealth } from "@cloudwright/store/views/health";

/** What `cloudwright adopt` prints where nothing waits: a controller that has not seen everything yet does not know that. */
export function nothingWaits({ Node, Service }: ClusterHealth["coverage"]): string {
  const nothing = "Nothing is waiting for consent";
  if (Node.reported >= Node.present && Service.reported >= Service.present)
    return `${nothing}: everything already has an owner.\n`;
  const known = [
    `${Service.reported} of ${Service.present} Services`,
    `${Node.reported} of ${Node.present} Nodes`,
  ].join(" and ");
  return `${nothing} so far, but the controller has reported on only ${known}: run the same command again in a moment.\n`;
}
