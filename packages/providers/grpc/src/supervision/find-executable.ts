import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

export interface WhereToLook {
  /** `--provider-path`: looked at first. */
  readonly folder: string;
  /** The PATH of our environment. */
  readonly path: string;
}

/** The path of the executable `cloudwright-provider-NAME`, undefined when there is none that we may run. */
export function findExecutable(name: string, { folder, path }: WhereToLook): string | undefined {
  // An empty entry of PATH means the working directory to a shell; a program should not be found there by accident.
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
