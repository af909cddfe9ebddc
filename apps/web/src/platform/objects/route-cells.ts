import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { RouteTableView } from "@cloudwright/store/views/routes";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";

/** Identifies a cell of a node: one range may have both the right route and a wrong one. */
export function cellKey({ cidr, verdict, route }: RouteCell): string {
  return [cidr, verdict, route?.id ?? ""].join(" ");
}

/** Returns cells with keys that stay the same while verdicts and routes change: each is identified by its position within its range. */
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

/** Returns the users' name of a table; its id while the name is not known. */
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
