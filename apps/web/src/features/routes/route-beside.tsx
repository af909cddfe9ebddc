"use client";
import type { BesideProps } from "../../platform/lists/record-list.tsx";
import { RoutePeek } from "./route-peek.tsx";
import { peeked } from "./routes-url.ts";

/** The routes of the node that the address names. */
export function RouteBeside({ name, onClose }: BesideProps) {
  const { node, cidr } = peeked(name);
  return node === undefined ? null : <RoutePeek {...{ node, cidr, onClose }} />;
}
