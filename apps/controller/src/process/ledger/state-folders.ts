import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** Where controllers without `--spool-dir` keep what is theirs on this host, the first that can be written to. */
export function stateFolders(): readonly string[] {
  const state = process.env.XDG_STATE_HOME ?? join(homedir(), ".local", "state");
  return [state, tmpdir()].map((folder) => join(folder, "cloudwright"));
}
