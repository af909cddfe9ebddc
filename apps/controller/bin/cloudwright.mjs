#!/bin/sh
":" //#; here=$(dirname -- "$(readlink -f -- "$0")"); node=$here/../dist/node; [ -x "$node" ] || node=node; export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}"; exec "$node" "$0" "$@"
// When this file is called by its name, the shell runs its second line, which starts the Node that set-up has chosen; `node FILE`
// begins here. glibc reads these limits before it starts: with an arena for each thread, memory outside V8's heap would grow by
// 15 to 30 MiB. Node reads connections in blocks of 64 KiB: mapped on their own, the blocks of a huge answer go back to the
// system as soon as they are garbage; in the arena, anything small allocated behind them would keep up to 200 MB for good.
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

// The compiled code is cached beside the program for the next start: whoever could change it there could change the program as
// well. If the folder is not writable, nothing is cached. The variable is for the program's threads.
function keepCompiled(folder) {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  process.env.NODE_COMPILE_CACHE = folder;
  module.enableCompileCache?.(folder);
}
