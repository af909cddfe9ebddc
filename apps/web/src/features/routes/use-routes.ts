"use client";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { type Layout, layoutOf, type RoutesView, routesFilter, sortOf } from "./routes-url.ts";

const NARROW = "(max-width: 44em)";

/** The nodes with their routes, page after page; not asked for before it is known how they are laid out. */
export function useRoutes(cluster: string, view: RoutesView, layout: Layout | undefined) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.list.infiniteQueryOptions(
      {
        cluster,
        filter: routesFilter(view),
        sort: sortOf(view, layout ?? "list"),
        limit: PAGE_SIZE,
      },
      { ...PAGED, enabled: layout !== undefined },
    ),
  );
}

/** Undefined until it is known how many nodes there are. */
export function useLayout(cluster: string, view: RoutesView): Layout | undefined {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ?? false;
  const counts = useCluster(cluster).data?.routes;
  if (counts === undefined) return view.layout;
  return layoutOf(view, { isNarrow, nodes: presentNodes(counts.states) });
}
