#!/bin/sh
":" //#; here=$(dirname -- "$(readlink -f -- "$0")"); node=$here/../dist/node; [ -x "$node" ] || node=node; export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}"; exec "$node" "$0" "$@"
// Called by its name, this file is a shell's for one line, which hands it to the Node that set-up has chosen; `node FILE` begins here.
// Threads of their own arenas for what is not V8's heap would hold 15 to 30 MiB more; glibc reads the limit before it starts.
// Node reads connections into 64 KiB each time: mapped on their own, those of a huge answer go back to the system as soon as they
// are garbage. In the arena anything small behind them would keep all of them for good, up to 200 MB.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const bundle = new URL("../dist/cloudwright.mjs", import.meta.url);
if (existsSync(fileURLToPath(bundle))) {
  keepCompiled(fileURLToPath(new URL("../dist/compiled", import.meta.url)));
  await import(bundle.href);
} else {
  process.stderr.write(
    "cloudwright is not built yet: run `npm run build` (or `npm start`) in the checkout first.\n",
  );
  process.exitCode = 1;
}

// What is compiled is kept beside the program for the next start, where whoever could change it could change the program as well; where
// the folder cannot be written, nothing is kept. The variable is for the program's threads.
function keepCompiled(folder) {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  process.env.NODE_COMPILE_CACHE = folder;
  module.enableCompileCache?.(folder);
}
