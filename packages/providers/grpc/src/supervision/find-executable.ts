import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

export interface WhereToLook {
  /** `--provider-path`, which is searched first. */
  readonly folder: string;
  /** The PATH of our environment. */
  readonly path: string;
}

/** Returns the path of the executable `cloudwright-provider-NAME`; undefined if there is none that we may run. */
export function findExecutable(name: string, { folder, path }: WhereToLook): string | undefined {
  // To a shell, an empty entry of PATH means the working directory; no program should be found there by accident.
  const folders = [folder, ...path.split(delimiter).filter((entry) => entry !== "")];
  const candidates = folders.map((each) => resolve(each, `${EXECUTABLE_PREFIX}${name}`));
  return candidates.find(isExecutable);
}

const EXECUTABLE_PREFIX = "cloudwright-provider-";

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
