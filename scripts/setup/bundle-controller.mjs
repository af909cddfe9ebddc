import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { inProject } from "../lib/project.mjs";

const FOLDER = "apps/controller/dist";

/**
 * Bundles the controller as ESM files in one folder that runs outside the checkout: the entry, the threads that renew Leases and
 * write the ledger, and chunks that are loaded when a command needs them. esbuild comes with the packages, so it is loaded only
 * now. `plugins` are for esbuild, and run before ours; `folder` is in the project.
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
    // Code that a controller does not load takes no memory.
    splitting: true,
    chunkNames: "[name]-[hash]",
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Names stay unchanged, so that stacks can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "linked",
    sourcemap: true,
    metafile: true,
    absWorkingDir: inProject("."),
    logLevel: "warning",
    // Packages in CommonJS use require.
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
  // Otherwise its process, with a quarter of a GiB, would live as long as this one: for all of `npm start`.
  await esbuild.stop();
  removeOthers(folder, new Set(Object.keys(metafile.outputs)));
  rmSync(inProject(folder, "compiled"), { recursive: true, force: true });
  copyMigrations(folder);
}

/** Copies them where the program looks first, so that the folder runs wherever it is copied to. */
function copyMigrations(folder) {
  const copy = inProject(folder, "migrations");
  rmSync(copy, { recursive: true, force: true });
  cpSync(inProject("prisma/migrations"), copy, { recursive: true });
}

/** Removes chunks of earlier builds, whose names contain hashes of their content. */
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
 * We only use KubeConfig from client-node, but its index loads 13 MB of generated models. Its modules only define things, so
 * unused parts can be dropped. Each thread would also hold what it creates for other callers: headers, with node-fetch and its
 * rules for international domain names, and proxy agents, although our own transport handles proxies. It receives the kubeconfig
 * as JSON, as we have already parsed the file.
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
 * Importing node:http as a module evaluates all of its exports, including WebSocket and its events, for which Node 24 loads its
 * own undici: 13 MiB in every thread. With require, only what is used is evaluated.
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

/** zod supports 50 languages, which each thread would hold; none of its own messages is shown. */
export const zodInEnglish = {
  name: "zod-in-english",
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/** Prisma embeds its compiler as text in a module, of which V8 would keep both: 11 MiB more than the file needs. */
export const compilerAsFile = {
  name: "compiler-as-file",
  setup(build) {
    build.onLoad({ filter: /query_compiler_\w+\.\w+\.wasm-base64\.mjs$/ }, ({ path }) => ({
      contents: `import { readFileSync } from "node:fs";
        import file from "./${basename(path)}.wasm";
        export const wasm = readFileSync(new URL(file, import.meta.url));`,
    }));
    // Only the file name, since esbuild hashes paths: otherwise each checkout would produce a different bundle.
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
 * We use undici for requests, but its index loads browser APIs (fetch, WebSocket, caches), its mocks and its interceptors: 6 MiB
 * in every thread. None of them is used; a body that is a form or an iterable would load its own file for them later. HTTP/2 is
 * not used either: it is negotiated only if allowed, and takes as much again of Node's own code.
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
    // The index creates one of these when it is loaded.
    build.onLoad({ filter: /./, namespace: "undici-left-out" }, () => ({
      contents: "module.exports = { CacheStorage: class {} };",
    }));
  },
};
