"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { useLatest } from "../shortcuts.ts";
import type { Column } from "../table/column.ts";
import { keepTrail, useKeptTrail, useTrailOwner } from "./kept-trail.ts";

/** The previous and the next page; undefined at an end of the list. */
export interface NeighbourPages {
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Remembers a list whenever a link leads to the page of one of its rows, from the row itself or from the panel beside the list. */
export function useTrail<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const owner = useTrailOwner();
  const leave = useLatest((link: string) => {
    const pageOf = columns.find((column) => column.pageOf !== undefined)?.pageOf;
    if (pageOf === undefined) return;
    const pages = rows.map(pageOf).filter((page) => page !== undefined);
    const opened = pages.findIndex((page) => pathOf(page) === pathOf(link));
    if (opened >= 0) keepTrail({ owner, pages, opened });
  });
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest("a[href]") : null;
      if (link !== null) leave.current(link.getAttribute("href") ?? "");
    };
    window.addEventListener("click", onClick, true);
    return () => window.removeEventListener("click", onClick, true);
  }, [leave]);
}

/** Returns the pages before and after this one in the list that led here, each on the tab that is open. */
export function useTrailNeighbours(): NeighbourPages {
  const path = pathOf(usePathname());
  const tab = useSearchParams().get("tab");
  const trail = useKeptTrail();
  const index = trail.findIndex((page) => pathOf(page) === path);
  const at = (place: number) => {
    const page = index < 0 ? undefined : trail[place];
    return page === undefined ? undefined : onTab(page, tab);
  };
  return { previous: at(index - 1), next: at(index + 1) };
}

function onTab(page: string, tab: string | null): string {
  const [path = page] = page.split("?");
  return tab === null ? path : `${path}?tab=${encodeURIComponent(tab)}`;
}

/** Normalises a path the way a browser does; the server, which renders the page first, has no location. */
function pathOf(href: string): string {
  return new URL(href, ANY_ORIGIN).pathname;
}

/** Only paths are compared, so any origin will do. */
const ANY_ORIGIN = "https://dashboard.invalid";
