#!/usr/bin/env node
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
