import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { inProject } from "../lib/project.mjs";

const FOLDER = "apps/controller/dist";

/**
 * ESM files in one folder that runs outside the checkout: the entry, the threads that renew Leases and write the ledger, and chunks that are
 * loaded when a command needs them. esbuild comes with the packages, so it is loaded only now. `plugins` are esbuild's, before ours;
 * `folder` is in the project.
 */
export async function bundleController({ folder = FOLDER, plugins = [] } = {}) {
  const esbuild = await import("esbuild");
  const { metafile } = await esbuild.build({
    entryPoints: {
      cloudwright: inProject("apps/controller/src/main.ts"),
      "lease-worker": inProject("packages/core/src/kube/lease/lease-worker.ts"),
      "ledger-worker": inProject("packages/store/src/ledger/drain-worker.ts"),
    },
    outdir: inProject(folder),
    outExtension: { ".js": ".mjs" },
    // What a controller does not load, it does not hold in memory.
    splitting: true,
    chunkNames: "[name]-[hash]",
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Names stay as they are, so that stacks can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "linked",
    sourcemap: true,
    metafile: true,
    absWorkingDir: inProject("."),
    logLevel: "warning",
    // Packages that are not modules ask for require.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    // pg offers a native binding that we do not install.
    external: ["pg-native"],
    plugins: [
      ...plugins,
      kubeConfigOnly,
      httpByRequire,
      zodInEnglish,
      compilerAsFile,
      undiciWithoutTheWeb,
    ],
  });
  // Else its process, of a quarter of a GiB, lives as long as this one does: all of `npm start`.
  await esbuild.stop();
  removeOthers(folder, new Set(Object.keys(metafile.outputs)));
  rmSync(inProject(folder, "compiled"), { recursive: true, force: true });
  copyMigrations(folder);
}

/** Where the program looks first: the folder then runs wherever it is copied to. */
function copyMigrations(folder) {
  const copy = inProject(folder, "migrations");
  rmSync(copy, { recursive: true, force: true });
  cpSync(inProject("prisma/migrations"), copy, { recursive: true });
}

/** Chunks of earlier builds; their names hold a hash of what is in them. */
function removeOthers(folder, made) {
  for (const name of readdirSync(inProject(folder))) {
    if (/\.(mjs|wasm)(\.|$)/.test(name) && !made.has(`${folder}/${name}`)) {
      rmSync(inProject(folder, name), { force: true });
    }
  }
}

const CLIENT_NODE = join("@kubernetes", "client-node");

const INSTEAD = {
  "node-fetch": "export const Headers = undefined;\nexport default undefined;",
  "js-yaml": "export default { load: JSON.parse };",
  "socks-proxy-agent": "export class SocksProxyAgent {}",
  hpagent: "export class HttpProxyAgent {}\nexport class HttpsProxyAgent {}",
};

/**
 * Of client-node we run nothing but KubeConfig, yet its index brings 13 MB of generated models along. Its modules only
 * define things, so what nobody uses of them may go. Each thread would also hold what it makes for other callers: headers, with node-fetch
 * and its rules of international domain names, and agents for proxies, where our own transport goes through the proxy itself. What it gets of
 * a kubeconfig is JSON, as we have read the file already.
 */
export const kubeConfigOnly = {
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
    build.onResolve({ filter: /^(node-fetch|js-yaml|socks-proxy-agent|hpagent)$/ }, (asked) =>
      asked.importer.includes(CLIENT_NODE)
        ? { path: asked.path, namespace: "of-client-node" }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: "of-client-node" }, ({ path }) => ({
      contents: INSTEAD[path],
    }));
  },
};

/**
 * Whoever imports node:http as a module gets all that it exports evaluated, WebSocket and its events among them, for which Node 24 loads an
 * undici of its own: 13 MiB in every thread. Required, it is what is used of it.
 */
export const httpByRequire = {
  name: "http-by-require",
  setup(build) {
    build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "node:http", namespace: "by-require" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "by-require" }, ({ path }) => ({
      contents: `module.exports = require("${path}");`,
    }));
  },
};

/** zod speaks 50 languages, which each thread would hold; none of its own sentences is shown. */
export const zodInEnglish = {
  name: "zod-in-english",
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/** Prisma brings its compiler as text within a module, of which V8 would keep both: 11 MiB more than the file needs. */
export const compilerAsFile = {
  name: "compiler-as-file",
  setup(build) {
    build.onLoad({ filter: /query_compiler_\w+\.\w+\.wasm-base64\.mjs$/ }, ({ path }) => ({
      contents: `import { readFileSync } from "node:fs";
        import file from "./${basename(path)}.wasm";
        export const wasm = readFileSync(new URL(file, import.meta.url));`,
    }));
    // Its name alone, as esbuild makes hashes of paths: the bundle would be another one in each checkout.
    build.onResolve({ filter: /\.wasm-base64\.mjs\.wasm$/ }, ({ path, resolveDir }) => ({
      path: basename(path).replace(".wasm-base64.mjs", ""),
      namespace: "compiler",
      pluginData: join(resolveDir, path.slice(0, -".wasm".length)),
    }));
    build.onLoad({ filter: /./, namespace: "compiler" }, ({ pluginData }) => {
      const [, text] = /"([A-Za-z0-9+/=]+)"/.exec(readFileSync(pluginData, "utf8"));
      return { contents: Buffer.from(text, "base64"), loader: "file" };
    });
  },
};

const UNDICI = join("node_modules", "undici");

/**
 * We send requests with undici, and its index brings along what browsers have (fetch, WebSocket, caches), its mocks and its interceptors:
 * 6 MiB in every thread. None of them is called; a body that is a form or an iterable would load its own file of them, later. Nor is HTTP/2,
 * which a connection speaks only where it is allowed to, and which is as much again of Node's own.
 */
export const undiciWithoutTheWeb = {
  name: "undici-without-the-web",
  setup(build) {
    const index = inProject(UNDICI, "index.js");
    build.onResolve({ filter: /^\.\/lib\/(web|cache|mock|interceptor)\// }, ({ importer, path }) =>
      importer === index ? { path, namespace: "undici-left-out" } : undefined,
    );
    build.onResolve({ filter: /^\.\/client-h2\.js$/ }, ({ path }) => ({
      path,
      namespace: "undici-left-out",
    }));
    // The index makes one of these as it is loaded.
    build.onLoad({ filter: /./, namespace: "undici-left-out" }, () => ({
      contents: "module.exports = { CacheStorage: class {} };",
    }));
  },
};
