import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { controllerHelp } from "./help.ts";

const PAGE = new URL("../../../../docs/flags.md", import.meta.url);

it("docs/flags.md shows what --help prints today", () => {
  const page = readFileSync(PAGE, "utf8");
  // Differs after a flag was changed: run `node scripts/write-flags-page.mjs` once the bundle is built.
  expect(page).toContain(controllerHelp().trimEnd());
});
