import type { z } from "zod";

/** One address of the API. What it answers is what the pages' own procedure answers, with that procedure's checks. */
export interface ApiRoute {
  /** Below `/api/v1`; names in braces are members of the input. */
  readonly path: string;
  /** The procedure of the router that answers, such as `nodes.list`. */
  readonly procedure: string;
  readonly group: string;
  readonly summary: string;
  readonly input?: z.ZodObject;
  readonly answer: z.core.$ZodType;
  /** Members of the input that this address always has. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** How a list is ordered unless the query says otherwise. */
  readonly sort?: string;
  /** What the procedure answers as this address does. Pure. */
  readonly shape?: (answer: unknown) => unknown;
  /** Members of the input by what stands in the path, where they are not the same. Pure. */
  readonly named?: (path: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
}

/** Addresses of one chapter. */
export function group(
  name: string,
  routes: readonly Omit<ApiRoute, "group">[],
): readonly ApiRoute[] {
  return routes.map((route) => ({ ...route, group: name }));
}

/** A list without pages is an object as well, so that it can have more members one day. */
export const asRows = (rows: unknown) => ({ rows });

/** The names in a path's braces, in their order. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
