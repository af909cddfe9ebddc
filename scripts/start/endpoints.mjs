import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the parts of a running Cloudwright are reached; readable by its owner alone, as it holds tokens. */
export function writeEndpoints(data, endpoints) {
  const path = endpointsPath(data);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return path;
}

export function removeEndpoints(data) {
  rmSync(endpointsPath(data), { force: true });
}

/** Undefined when nothing is ready there. */
export function readEndpoints(data) {
  try {
    return JSON.parse(readFileSync(endpointsPath(data), "utf8"));
  } catch {
    return undefined;
  }
}

function endpointsPath(data) {
  return join(data, "endpoints.json");
}
