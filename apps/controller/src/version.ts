import manifest from "../package.json" with { type: "json" };

/** The release, as logs, heartbeats and the user agent report it. */
export const VERSION: string = manifest.version;

/** What we call ourselves towards the API server and clouds. */
export const USER_AGENT = `cloudwright/${VERSION} (${process.platform}/${process.arch})`;

/** What `--version` prints; raw is JSON for programs. */
export function versionText(raw: boolean): string {
  if (!raw) return `Cloudwright ${VERSION}\n`;
  const facts = { version: VERSION, node: process.versions.node, platform: process.platform };
  return `${JSON.stringify(facts)}\n`;
}
