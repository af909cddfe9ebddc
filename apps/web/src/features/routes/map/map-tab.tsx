"use client";
import { useMediaQuery } from "@mantine/hooks";
import { Skeleton } from "../../../components/page/panel-states.tsx";
import { useFetched } from "../../../components/use-fetched.ts";
import type { ListProps } from "../../../platform/lists/list-view.ts";
import { NodesTab } from "../nodes-tab.tsx";
import type { RoutesView } from "../routes-url.ts";

const NARROW = "(max-width: 44em)";
const load = () => import("./route-map.tsx").then(({ RouteMap }) => RouteMap);

/** The routes of all nodes, in a block for each table; on a narrow screen, the list is shown instead. */
export function MapTab(props: ListProps<RoutesView>) {
  const isMapped = useIsMapped(props.view);
  const RouteMap = useFetched(load, isMapped ? true : undefined);
  if (!isMapped) return <NodesTab {...props} />;
  return RouteMap === undefined ? <Skeleton /> : <RouteMap {...props} />;
}

/** Reports whether the map is shown, whose blocks say how full each table is. */
export function useIsMapped({ show }: Pick<RoutesView, "show">): boolean {
  // The server does not know the screen's width, and its rendering must match the browser's first one.
  const isNarrow = useMediaQuery(NARROW) ?? false;
  return show === "map" && !isNarrow;
}
