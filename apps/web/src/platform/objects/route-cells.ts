import type { RouteCell, RouteVerdict } from "@cloudwright/core/model/records/route-record";
import type { RouteTableView } from "@cloudwright/store/views/routes";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
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

/** Identifies a cell of a node: a range may have the route that it should, and one that it should not. */
export function cellKey({ cidr, verdict, route }: RouteCell): string {
  return [cidr, verdict, route?.id ?? ""].join(" ");
}

/** Cells with keys that stay while verdicts and routes change: each is identified by its place among those of its range. */
export function placedCells(
  cells: readonly RouteCell[],
): readonly { readonly key: string; readonly cell: RouteCell }[] {
  const seen = new Map<string, number>();
  return cells.map((cell) => {
    const place = seen.get(cell.cidr) ?? 0;
    seen.set(cell.cidr, place + 1);
    return { key: `${cell.cidr} ${place}`, cell };
  });
}

/** What users call a table; its id while its name is not known. */
export function tableName(
  tables: readonly Pick<RouteTableView, "id" | "tableName">[] | undefined,
  id: string,
): string {
  const name = tables?.find((table) => table.id === id)?.tableName;
  return name === undefined || name === "" ? id : name;
}

export function useTables(cluster: string) {
  const api = useApi();
  return useQuery(api.routes.tables.queryOptions({ cluster }));
}
