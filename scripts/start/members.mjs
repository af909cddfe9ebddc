import { mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The clusters of one start, each with the options of its parts. The first has the folder itself, so that what an earlier start kept
 * there goes on whatever number is asked for; each other has one of its own below it.
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

/** `cloud` of the first cluster, `cloud-2` of the second. */
export function numbered(word, ordinal) {
  return ordinal === 1 ? word : `${word}-${ordinal}`;
}

/** What a part does, whichever cluster it is of: `cloud` of `cloud-2`. */
export function roleOf(name) {
  return name.replace(/-\d+$/, "");
}
