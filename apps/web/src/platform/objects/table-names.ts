import type { RouteTableView } from "@cloudwright/store/route-views";

/** What people call a table; its id while its name is not known. */
export function tableName(
  tables: readonly Pick<RouteTableView, "id" | "tableName">[] | undefined,
  id: string,
): string {
  const name = tables?.find((table) => table.id === id)?.tableName;
  return name === undefined || name === "" ? id : name;
}
