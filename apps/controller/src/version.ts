import manifest from "../package.json" with { type: "json" };

/** The release, as logs, heartbeats and the user agent report it. */
export const VERSION: string = manifest.version;

/** The user agent sent to the API server and to clouds. */
export const USER_AGENT = `cloudwright/${VERSION} (${process.platform}/${process.arch})`;

/** Returns what `--version` prints; with `raw`, JSON for programs. */
export function versionText(raw: boolean): string {
  if (!raw) return `Cloudwright ${VERSION}\n`;
  const facts = { version: VERSION, node: process.versions.node, platform: process.platform };
  return `${JSON.stringify(facts)}\n`;
}
