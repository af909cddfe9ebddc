import { join } from "node:path";
import { inProject } from "../lib/project.mjs";

/** One ESM file that runs outside the checkout; esbuild comes with the packages, so it is loaded only now. */
export async function bundleController() {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [inProject("apps/controller/src/main.ts")],
    outfile: inProject("apps/controller/dist/cloudwright.mjs"),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    sourcemap: true,
    logLevel: "warning",
    // Packages that are not modules ask for require.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    // pg offers a native binding that we do not install.
    external: ["pg-native"],
    plugins: [kubeConfigOnly],
  });
}

const CLIENT_NODE = join("@kubernetes", "client-node");

/**
 * Of client-node we run nothing but KubeConfig, yet its index brings 13 MB of generated models along. Its modules only
 * define things, so what nobody uses of them may go.
 */
const kubeConfigOnly = {
  name: "kube-config-only",
  setup(build) {
    build.onResolve({ filter: /^@kubernetes\/client-node$/ }, () => ({
      path: inProject("node_modules", CLIENT_NODE, "dist", "config.js"),
      sideEffects: false,
    }));
    build.onResolve({ filter: /^\.\.?\// }, ({ importer, path, resolveDir }) =>
      importer.includes(CLIENT_NODE)
        ? { path: join(resolveDir, path), sideEffects: false }
        : undefined,
    );
  },
};
