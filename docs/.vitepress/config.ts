import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { anchorOf } from "../../scripts/docs/anchors.ts";
import { copyLinkedFiles, linkFiles } from "./linked-files.ts";
import { CHAPTERS } from "./sidebar.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Folders that hold no page: their Markdown is for whoever reads the source. */
const NO_PAGES = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "docs")
  .map(({ name }) => `${name}/**`);

/** The pages of docs/ and of the project's root as a site that asks no other host for anything: `npm run docs`. */
export default defineConfig({
  title: "Cloudwright",
  description: "A Kubernetes cloud controller manager that writes down everything it decides.",
  lang: "en",
  srcDir: ROOT,
  srcExclude: NO_PAGES,
  rewrites: { "README.md": "index.md" },
  outDir: join(ROOT, "dist/docs"),
  cacheDir: join(ROOT, "node_modules/.cache/vitepress"),
  metaChunk: true,
  head: [["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }]],
  markdown: {
    anchor: { slugify: anchorOf },
    config: (md) => {
      linkFiles(md);
      // The theme knows only fences.
      md.renderer.rules.code_block = (...args) => md.renderer.rules.fence?.(...args) ?? "";
    },
  },
  buildEnd: ({ outDir }) => {
    copyLinkedFiles(outDir);
    cpSync(join(ROOT, "apps/web/src/app/icon.svg"), join(outDir, "icon.svg"));
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: [2, 3],
    docFooter: { prev: "Before", next: "Next" },
    sidebar: CHAPTERS.map(({ text, entries }) => ({
      text,
      collapsed: false,
      items: entries.map(({ text: name, page }) => ({ text: name, link: addressOf(page) })),
    })),
    nav: [
      { text: "Install", link: "/docs/install" },
      { text: "Take over", link: "/docs/migration" },
      { text: "When something is wrong", link: "/docs/runbooks" },
    ],
  },
});

function addressOf(page: string): string {
  return page === "README.md" ? "/" : `/${page.replace(/\.md$/, "")}`;
}
