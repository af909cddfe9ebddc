import type { EndpointSubset } from "./endpoints.ts";

const MOST_SHOWN = 3;

/** Endpoints in a cell: at most three, and how many more there are. */
export function endpointsText(subsets: readonly EndpointSubset[]): string {
  if (subsets.length === 0) return "<none>";
  return shortened(subsets.flatMap(placesOf), "");
}

/** The first three of the items; `none` when there are none. */
export function shortened(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, MOST_SHOWN).join(",");
  const rest = items.length - MOST_SHOWN;
  return rest > 0 ? `${shown} + ${rest} more...` : shown;
}

function placesOf({ addresses = [], ports = [] }: EndpointSubset): readonly string[] {
  if (ports.length === 0) return addresses.map(({ ip }) => ip);
  return ports.flatMap(({ port }) =>
    addresses.map(({ ip }) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
  );
}
