import { writeFileSync } from "node:fs";
import { reasonsPage } from "./reasons-page.ts";

writeFileSync(new URL("../../docs/reasons.md", import.meta.url), reasonsPage());
