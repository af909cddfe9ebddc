import { z } from "zod";

/** The capabilities of a service beyond its first version. */
export interface Versions {
  /** Nova: the microversion to request, undefined if none is useful. */
  readonly compute: string | undefined;
  /** Octavia: N of the highest v2.N. */
  readonly "load-balancer": number;
  /** Neutron: the aliases of its extensions. */
  readonly network: ReadonlySet<string>;
}
export type VersionedService = keyof Versions;

/**
 * The useful microversions, best first: from 2.69 on, servers of a cell that is down are listed as UNKNOWN instead of missing;
 * from 2.47 on, a server contains its flavor's name.
 */
const MICROVERSIONS: readonly number[] = [69, 47];

const novaVersion = z.object({ version: z.string().nullish(), min_version: z.string().nullish() });

/** `GET {compute}/`: one version, or the list of them. */
export const novaVersionsSchema = z.union([
  z.object({ version: novaVersion }).transform(({ version }) => [version]),
  z.object({ versions: z.array(novaVersion) }).transform(({ versions }) => versions),
]);

export function microversionOf(versions: z.output<typeof novaVersionsSchema>): string | undefined {
  const offered = versions.map(({ version, min_version }) => [
    minorOf(min_version),
    minorOf(version),
  ]);
  const chosen = MICROVERSIONS.find((wanted) =>
    offered.some(([least = 0, most = 0]) => least <= wanted && wanted <= most),
  );
  return chosen === undefined ? undefined : `2.${chosen}`;
}

/** Octavia's `GET /`. */
export const octaviaVersionsSchema = z
  .object({ versions: z.array(z.object({ id: z.string() })) })
  .transform(({ versions }) => Math.max(0, ...versions.map(({ id }) => minorOf(id.slice(1)))));

/** `GET /v2.0/extensions`. */
export const extensionsSchema = z
  .object({ extensions: z.array(z.object({ alias: z.string() })) })
  .transform(
    ({ extensions }): ReadonlySet<string> => new Set(extensions.map(({ alias }) => alias)),
  );

/** Returns the N of version 2.N; 0 for any other. */
function minorOf(version: string | null | undefined): number {
  return Number(/^2\.(\d+)$/.exec(version ?? "")?.[1] ?? 0);
}
