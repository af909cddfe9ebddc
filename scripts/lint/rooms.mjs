import { existsSync, readdirSync } from "node:fs";

/** The rooms of packages/core/src, by folder; imported inside core as `../kube/…`, outside as `@cloudwright/core/kube/…`. */
const CORE = ["model", "kube", "queue", "cloud", "reconcile", "controllers"];
const PACKAGES = ["provider-api", "store", "sandbox", "provider-*", "controller", "web"];
const CONTROLLERS = foldersWith("module.ts", "../../packages/core/src/controllers/");
const VIEWS = ["!@cloudwright/store/views/**", "!@cloudwright/store/audit/chain-views"];
const LINK =
  "Take Link from components/link.tsx: it fetches a page ahead only when it is meant to.";
const ZOD = "Take z from zod/mini: zod itself is 13 kB more in the first load of every page.";

/**
 * What each room may import: the "Rooms" of DESIGN.md, for the linter. `files`: where the rule applies; of several matches the
 * last one counts. `may`: rooms of core and packages; `never`: import paths that are refused in addition to all other rooms.
 */
const ROOMS = [
  {
    ...room("model", [], { says: "pure and browser-safe", never: ["node:*"] }),
    paths: { zod: ZOD },
  },
  room("kube", ["model", "provider-api"], { says: "of provider-api what sending by HTTP takes" }),
  room("queue", ["model"]),
  room("cloud", ["model", "provider-api"]),
  room("reconcile", ["model", "kube", "queue", "cloud", "provider-api"]),
  {
    ...room("controllers", [...CORE, "provider-api"], { says: "never another controller" }),
    files: ["packages/core/src/controllers/*/**", "!packages/core/src/controllers/testing/**"],
    never: CONTROLLERS.map((name) => `**/../${name}/**`),
  },
  { name: "provider-api", files: ["packages/provider-api/**"], may: ["provider-api"] },
  { name: "store", files: ["packages/store/src/**"], may: ["store", "model", "reconcile"] },
  {
    name: "a provider",
    files: ["packages/providers/*/src/**", "e2e/plugins/**"],
    may: ["provider-api"],
  },
  { name: "sandbox", files: ["packages/sandbox/src/**"], may: ["sandbox", "model"] },
  controller("*", []),
  controller("src/commands", []),
  controller("src/process", ["commands"]),
  controller("src/wiring", ["commands", "process"]),
  ...["flags", "http", "logging", "metrics", "permissions", "webhooks"].map((folder) =>
    controller(`src/${folder}`, ["commands", "process", "wiring"]),
  ),
  { name: "apps/web", files: ["apps/web/**"], may: ["store", "model"] },
  page("apps/web/src/app", ["**"]),
  page("apps/web/src/components", ["**"], ["**/features/**", "**/platform/**"]),
  page("apps/web/src/platform", ["**"], ["**/features/**"]),
  // A feature's own files are below it, so anything next to its folder is another feature.
  page("apps/web/src/features", ["**"]),
  page("apps/web/src/features", ["*/*"], ["../*/**", "!../../**"]),
  page("apps/web/src/features", ["*/*/**"], ["../../*/**", "!../../../**"]),
  {
    name: "e2e",
    files: ["e2e/**", "!e2e/plugins/**"],
    may: [],
    never: ["**/packages/**", "**/apps/**"],
  },
];

/** Returns the names of folders that contain such a file. */
function foldersWith(file, path) {
  const folder = new URL(path, import.meta.url);
  const entries = readdirSync(folder).toSorted();
  return entries.filter((name) => existsSync(new URL(`${name}/${file}`, folder)));
}

function room(name, may, { says, never = [] } = {}) {
  return { name, says, files: [`packages/core/src/${name}/**`], may: [name, ...may], never };
}

/** A folder of apps/controller; `above`: the folders that use it. */
function controller(folder, above) {
  return {
    name: "apps/controller",
    says: "commands → process → wiring → the rest; sandbox in commands/sandbox.ts alone, dynamically",
    files: [`apps/controller/${folder}/**`, "!apps/controller/src/commands/sandbox.ts"],
    may: [...CORE, "provider-api", "store", "provider-*", "controller"],
    never: above.map((each) => `**/${each}/**`),
  };
}

/** A part of the dashboard that runs in the browser. */
function page(folder, patterns, never = []) {
  return {
    name: folder,
    says: "of store its view types, never another feature",
    files: patterns.map((each) => `${folder}/${each}`),
    may: ["model"],
    never: [...VIEWS, ...never],
    paths: { "next/link": LINK, zod: ZOD },
  };
}

/** Returns the linter's configuration of import directions, as the text of `biome.rooms.json`: a line for each entry of the table. */
export function lintRooms() {
  const overrides = ROOMS.map(({ files, paths, ...of }) => {
    const patterns = [{ group: [...forbidden(of), ...(of.never ?? [])], message: messageOf(of) }];
    const options = paths === undefined ? { patterns } : { paths, patterns };
    const style = { noRestrictedImports: { level: "error", options } };
    return JSON.stringify({ includes: files, linter: { rules: { style } } });
  });
  return `{"overrides":[\n${overrides.join(",\n")}\n]}\n`;
}

function forbidden({ name, may }) {
  const rooms = CORE.filter((each) => !may.includes(each));
  const packages = PACKAGES.filter((each) => !may.includes(each));
  return [
    ...(CORE.includes(name)
      ? ["@cloudwright/core/**", ...rooms.map((each) => `**/${each}/**`)]
      : rooms.map((each) => `@cloudwright/core/${each}/**`)),
    ...packages.flatMap((each) => [`@cloudwright/${each}`, `@cloudwright/${each}/**`]),
    // `provider-*` means the clouds, not the API that they implement.
    ...(may.includes("provider-api")
      ? ["!@cloudwright/provider-api", "!@cloudwright/provider-api/**"]
      : []),
  ];
}

function messageOf({ name, may, says }) {
  const others = may.filter((each) => each !== name);
  const rooms = others.length === 0 ? "nothing of ours" : others.join(", ");
  return `${name} may import ${rooms}${says === undefined ? "" : `: ${says}`} (scripts/lint/rooms.mjs).`;
}
