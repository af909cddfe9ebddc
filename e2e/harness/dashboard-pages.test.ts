import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { dashboardPages } from "./dashboard-pages.ts";
import { PROJECT_ROOT } from "./processes.ts";

const shown = {
  ...{ cluster: "/c/one", node: "node-1", stuckNode: "node-2", service: "shop/web" },
  ...{ stuckService: "shop/api", volume: "pv-1", object: "Namespace/shop", run: "run" },
  ...{ action: "action", batch: "batch", incident: "incident" },
};
const pages = dashboardPages(shown);

it("contains every page that the dashboard serves, so that tests of all pages leave none out", () => {
  const app = join(PROJECT_ROOT, "apps/web/src/app");
  const served = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${dirname(file)}`.replace(/^\/\.$/, "/"));
  expect(served.length).toBeGreaterThan(20);
  expect(new Set(Object.keys(pages))).toEqual(new Set(served));
});

it("contains each address once, under the route that serves it", () => {
  const all = Object.values(pages).flat();
  expect(new Set(all).size).toBe(all.length);
  for (const [route, paths] of Object.entries(pages)) {
    const pattern = route.replace(/\[\.\.\.\w+\]/g, ".+").replace(/\[\w+\]/g, "[^/?]+");
    for (const path of paths) expect(path).toMatch(new RegExp(`^${pattern}(\\?|$)`));
  }
});
