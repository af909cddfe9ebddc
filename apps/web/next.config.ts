import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

const config: NextConfig = {
  output: "standalone",
  outputFileTracingRoot: projectRoot,
  turbopack: { root: projectRoot },
  serverExternalPackages: ["pg", "@prisma/adapter-pg"],
  transpilePackages: ["@cloudwright/core", "@cloudwright/store"],
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` compiles it all, so that a build need not do that once more: it is a sixth of its work.
  typescript: { ignoreBuildErrors: true },
  // What the next build could take over is a quarter of a GiB, and in CI there is none.
  experimental: { turbopackFileSystemCacheForBuild: process.env.CI === undefined },
  // Next draws one at each build otherwise, and no two builds of the same sources would be alike.
  generateBuildId: () => process.env.CLOUDWRIGHT_BUILD_ID ?? null,
};

export default config;
