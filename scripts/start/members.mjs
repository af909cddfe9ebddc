import { mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the clusters of one start, each with the options of its parts. The first one uses the folder itself, so that its data
 * from an earlier start is kept whatever the number of clusters; each other has its own folder below it.
 */
export function clusterMembers(options) {
  return Array.from({ length: options.clusters }, (_, index) => memberAt(index + 1, options));
}

function memberAt(ordinal, options) {
  const name = numbered("sandbox", ordinal);
  const data = ordinal === 1 ? options.data : join(options.data, "clusters", name);
  mkdirSync(data, { recursive: true });
  return { ...options, ordinal, name, data };
}

/** Returns `cloud` for the first cluster, `cloud-2` for the second. */
export function numbered(word, ordinal) {
  return ordinal === 1 ? word : `${word}-${ordinal}`;
}

/** Returns the role of a part, whatever its cluster: `cloud` for `cloud-2`. */
export function roleOf(name) {
  return name.replace(/-\d+$/, "");
}
