import { cpSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import type { MarkdownRenderer } from "vitepress";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const linked = new Set<string>();

/**
 * Pages link to manifests and to tests of this repository, which are no pages. On the site each is a text file below /files, so
 * that the link leads to it without the repository.
 */
export function linkFiles(md: MarkdownRenderer): void {
  md.core.ruler.push("linked-files", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const file = token.type === "link_open" ? fileOf(token.attrGet("href"), env.path) : undefined;
      if (file === undefined) continue;
      linked.add(file);
      token.attrSet("href", `/files/${file}.txt`);
      // The site's own links lead to pages.
      token.attrSet("target", "_blank");
    }
  });
}

export function copyLinkedFiles(outDir: string): void {
  for (const file of linked) {
    const target = join(outDir, "files", `${file}.txt`);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, file), target);
  }
}

/** The path in this repository of what a page links to, if it is there and no page. */
function fileOf(href: string | null, page: string): string | undefined {
  if (href === null || /^([a-z]+:|#)/.test(href) || /\.md(#|$)/.test(href)) return undefined;
  const file = normalize(join(dirname(page), decodeURIComponent(href)));
  const inRoot = file.startsWith(ROOT) ? file.slice(ROOT.length) : file;
  return statSync(join(ROOT, inRoot), { throwIfNoEntry: false })?.isFile() === true
    ? inRoot
    : undefined;
}
