import { writeFileSync } from "node:fs";
import { WRITTEN_PAGES } from "./pages.ts";

for (const [file, page] of Object.entries(WRITTEN_PAGES)) {
  writeFileSync(new URL(`../../${file}`, import.meta.url), await page());
}
