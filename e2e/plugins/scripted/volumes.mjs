import { appendFileSync } from "node:fs";

/** The FlexVolume driver of its disks; `options.volumeID` is the id. */
const DRIVER = "scripted.example.com/disk";

/**
 * Disks that are kept in memory: the config's `volumes`, `{"vol-1": {zone?, region?, sizeGiB?, labels?}}`. Every growth is a line
 * of JSON in the file `journal`: `{action: "grow", id, sizeGiB}`.
 */
export function scriptedVolumes(volumes, journal) {
  const sizes = new Map(Object.entries(volumes).map(([id, { sizeGiB = 10 }]) => [id, sizeGiB]));
  const factsOf = (id) => {
    const { zone = "", region = "", labels = {} } = volumes[id];
    const sizeGiB = sizes.get(id);
    return { id, zone, region, additionalLabels: labels, sizeGiB, asOf: Date.now() };
  };
  return {
    identify: ({ flexVolume }) =>
      flexVolume?.driver === DRIVER ? flexVolume.options?.volumeID : undefined,
    describe: async (ids, context) => {
      if (ids.length === 0) return new Map();
      await context.call({ operation: "LIST volumes", target: "", mutates: false }, async () => ({
        value: undefined,
        status: 200,
      }));
      return new Map(
        ids.map((id) => [
          id,
          sizes.has(id) ? { kind: "found", facts: factsOf(id) } : { kind: "absent" },
        ]),
      );
    },
    grow: (id, sizeGiB, context) =>
      context.call({ operation: "GROW volume", target: id, mutates: true }, async () => {
        if (!sizes.has(id)) throw unknown(id);
        if (journal !== undefined)
          appendFileSync(journal, `${JSON.stringify({ action: "grow", id, sizeGiB })}\n`);
        sizes.set(id, Math.max(sizes.get(id), sizeGiB));
        return { value: factsOf(id), status: 200 };
      }),
  };
}

/** Errors of providers are known by name and code, whatever class they are of. */
function unknown(id) {
  const call = { provider: "scripted", operation: "GROW volume", target: id, status: 404 };
  const error = new Error(`there is no volume ${id}`);
  return Object.assign(error, { name: "ProviderError", code: "NotFound", call });
}
