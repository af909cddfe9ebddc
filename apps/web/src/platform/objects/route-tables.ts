"use client";
import type { RouteTableView } from "@cloudwright/store/views/routes";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";

/** What people call a table; its id while its name is not known. */
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
