import type { z } from "zod";

/** One address of the API. It returns what the pages' own procedure returns, with that procedure's checks. */
export interface ApiRoute {
  /** Below `/api/v1`; names in braces are members of the input. */
  readonly path: string;
  /** The router's procedure that answers, such as `nodes.list`. */
  readonly procedure: string;
  readonly group: string;
  readonly summary: string;
  readonly input?: z.ZodObject;
  readonly answer: z.core.$ZodType;
  /** Members of the input that are constant for this address. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The order of a list unless the query names one. */
  readonly sort?: string;
  /** Converts the procedure's answer to the form of this address. Pure. */
  readonly shape?: (answer: unknown) => unknown;
  /** Derives members of the input from the path, where the names differ. Pure. */
  readonly named?: (path: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
}

/** Groups the addresses of one chapter. */
export function group(
  name: string,
  routes: readonly Omit<ApiRoute, "group">[],
): readonly ApiRoute[] {
  return routes.map((route) => ({ ...route, group: name }));
}

/** A list without pages is an object as well, so that it can get more members one day. */
export const asRows = (rows: unknown) => ({ rows });

/** Returns the names in a path's braces, in order. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
