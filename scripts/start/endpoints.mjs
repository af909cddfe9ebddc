import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the addresses of a running Cloudwright's parts, readable only by the owner, as the file contains tokens. */
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

/** Returns undefined if nothing is running there. */
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
