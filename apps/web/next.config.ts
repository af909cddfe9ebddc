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
  // Next draws one at each build otherwise, and no two builds of the same sources would be alike.
  generateBuildId: () => process.env.CLOUDWRIGHT_BUILD_ID ?? null,
};

export default config;
