"use client";
import { type ComponentType, createElement } from "react";
import { Skeleton } from "./page/panel-states.tsx";
import { useFetched } from "./use-fetched.ts";

/**
 * Makes a component that is not part of the page's first load, such as a tab that is not open at first. It is fetched when first shown;
 * until then its outline takes its place.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return function Late(props: Props) {
    const Part = useFetched(load, true);
    return Part === undefined ? <Skeleton lines={4} /> : createElement(Part, props);
  };
}
