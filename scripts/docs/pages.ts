import { FLAG_NAMES } from "../../apps/controller/src/flags/definitions/all.ts";
import { commandsPage, flagsPage } from "./commands-page.ts";
import { eventsPage } from "./events-page.ts";
import { httpApiPage } from "./http-api-page.ts";
import { metricsPage } from "./metrics-page.ts";
import { namesPage } from "./names-page.ts";
import { reasonsPage } from "./reasons-page.ts";

/** The pages that are written from the source, by file name. */
export const WRITTEN_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  "docs/api.md": httpApiPage,
  "docs/commands.md": commandsPage,
  "docs/events.md": eventsPage,
  "docs/flags.md": flagsPage,
  "docs/metrics.md": metricsPage,
  "docs/names.md": namesPage,
  "docs/reasons.md": reasonsPage,
  // With these, the chart refuses unknown flags before it starts a pod.
  "deploy/chart/files/flags.yaml": chartFlags,
};

function chartFlags(): string {
  const lines = FLAG_NAMES.toSorted().map((name) => `- ${name}\n`);
  return `# Written by scripts/docs/write-pages.ts.\n${lines.join("")}`;
}
