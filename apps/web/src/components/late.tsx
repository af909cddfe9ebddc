"use client";
import { type ComponentType, createElement } from "react";
import { Skeleton } from "./page/panel-states.tsx";
import { useFetched } from "./use-fetched.ts";

/**
 * A part that is no part of its page's first load, as another tab than the one that opens: it is fetched when it is first shown, and
 * its outline stands in its place until then.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return function Late(props: Props) {
    const Part = useFetched(load, true);
    return Part === undefined ? <Skeleton lines={4} /> : createElement(Part, props);
  };
}
