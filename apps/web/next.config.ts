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
  // `npm run check` compiles everything, so the build skips it; it would be a sixth of the build's work.
  typescript: { ignoreBuildErrors: true },
  // The build cache takes a quarter of a GiB, and CI does not keep one.
  experimental: { turbopackFileSystemCacheForBuild: process.env.CI === undefined },
  // Otherwise Next picks a random id for each build, and no two builds of the same sources would be identical.
  generateBuildId: () => process.env.CLOUDWRIGHT_BUILD_ID ?? null,
};

export default config;
