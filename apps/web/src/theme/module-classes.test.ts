import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("..", import.meta.url));

/** TypeScript accepts any name as a class of a style module; the browser silently ignores a missing one. */
it("every class used from a style module exists", () => {
  const pages = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  );
  expect(pages.length).toBeGreaterThan(200);
  expect(pages.flatMap(missingIn)).toEqual([]);
});

function missingIn(file: string): readonly string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  const imports = text.matchAll(/^import (\w+) from "([^"]+\.module\.css)";$/gm);
  return [...imports].flatMap(([, name = "", path = ""]) => {
    const classes = classesOf(
      path.startsWith("@/") ? join(SOURCE, path.slice(2)) : join(SOURCE, dirname(file), path),
    );
    // A variable, not the end of a file's name in an import.
    const asked = text.matchAll(new RegExp(`(?<![\\w/.-])${name}\\.(\\w+)`, "g"));
    return [...new Set([...asked].map(([, asked = ""]) => asked))]
      .filter((asked) => asked !== "module" && !classes.has(asked))
      .map((asked) => `${file}: ${name}.${asked}`);
  });
}

function classesOf(path: string): ReadonlySet<string> {
  const text = readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return new Set([...text.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = ""]) => name));
}
