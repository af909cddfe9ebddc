#!/bin/sh
":" //#; here=$(dirname -- "$(readlink -f -- "$0")"); node=$here/../dist/node; [ -x "$node" ] || node=node; export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}"; exec "$node" "$0" "$@"
// Called by its name, this file is a shell's for one line, which hands it to the Node that set-up has chosen; `node FILE` begins here.
// Threads of their own arenas for what is not V8's heap would hold 15 to 30 MiB more; glibc reads the limit before it starts.
// Node reads connections into 64 KiB each time: mapped on their own, those of a huge answer go back to the system as soon as they
// are garbage. In the arena anything small behind them would keep all of them for good, up to 200 MB.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundle = new URL("../dist/cloudwright.mjs", import.meta.url);
if (existsSync(fileURLToPath(bundle))) {
  await import(bundle.href);
} else {
  process.stderr.write(
    "cloudwright is not built yet: run `npm run build` (or `npm start`) in the checkout first.\n",
  );
  process.exitCode = 1;
}
