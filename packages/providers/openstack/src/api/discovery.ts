import { z } from "zod";

/** What a service can do, beyond its first version. */
export interface Versions {
  /** Nova: the microversion that we ask for, undefined where it has none that helps. */
  readonly compute: string | undefined;
  /** Octavia: N of the highest v2.N. */
  readonly "load-balancer": number;
  /** Neutron: the aliases of its extensions. */
  readonly network: ReadonlySet<string>;
}
export type VersionedService = keyof Versions;

/**
 * Those that help us, the best first: from 2.69 on a cell that is down shows its servers as UNKNOWN instead of not at all, from
 * 2.47 on a server has its flavor's name.
 */
const MICROVERSIONS: readonly number[] = [69, 47];

const novaVersion = z.object({ version: z.string().nullish(), min_version: z.string().nullish() });

/** Of `GET {compute}/`: one version, or the list of them. */
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

/** Of Octavia's `GET /`. */
export const octaviaVersionsSchema = z
  .object({ versions: z.array(z.object({ id: z.string() })) })
  .transform(({ versions }) => Math.max(0, ...versions.map(({ id }) => minorOf(id.slice(1)))));

/** Of `GET /v2.0/extensions`. */
export const extensionsSchema = z
  .object({ extensions: z.array(z.object({ alias: z.string() })) })
  .transform(
    ({ extensions }): ReadonlySet<string> => new Set(extensions.map(({ alias }) => alias)),
  );

/** Of version 2.N; 0 for any other. */
function minorOf(version: string | null | undefined): number {
  return Number(/^2\.(\d+)$/.exec(version ?? "")?.[1] ?? 0);
}
