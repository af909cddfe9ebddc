import { writeFileSync } from "node:fs";
import { inProject } from "../lib/project.mjs";
import { reasonsPage } from "./reasons-page.ts";

writeFileSync(inProject("docs", "reasons.md"), reasonsPage());
