import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const STORE = fileURLToPath(new URL("..", import.meta.url));

/** Patterns of queries outside Prisma's client, and of SQL statements or parts of them. */
const BY_HAND = [
  /\.query(?:<|\()/,
  /\$(?:query|execute)Raw/,
  /\bPrisma\.(?:sql|raw|join)\b/,
  /["'`\s](?:SELECT(?= [^(])|INSERT INTO|DELETE FROM|UPDATE [a-z_"]+ SET|CREATE (?:TABLE|ROLE)|ALTER (?:TABLE|ROLE)|GRANT|REVOKE|BEGIN|COMMIT|ROLLBACK|LISTEN)\b/,
  /\b(?:ORDER BY|GROUP BY|IS (?:NOT )?NULL|IS DISTINCT FROM)\b|\bAND [a-z_]+ (?:=|<|>|IN|ANY)\b|\$\d\b/,
];

/** Removes comments, which mention statements, too. */
function codeOf(file: string): string {
  const text = readFileSync(path.join(STORE, file), "utf8");
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

test("statements are written by hand in this room only", () => {
  const files = readdirSync(STORE, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !/^(?:sql|generated)\/|\.test\.ts$/.test(file));
  expect(files).toContain("queries/overview/overview.ts");
  expect(files.filter((file) => BY_HAND.some((sign) => sign.test(codeOf(file))))).toEqual([]);
});

test("a statement outside would be found", () => {
  const statement = codeOf("sql/users.ts");
  expect(BY_HAND.slice(0, 4).filter((sign) => sign.test(statement)).length).toBeGreaterThan(2);
});

test("a file of statements begins with the reason why Prisma's client does not ask them", () => {
  const files = readdirSync(path.join(STORE, "sql"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => path.join(STORE, "sql", file))
    .map((file) => ({ file: path.basename(file), text: readFileSync(file, "utf8") }));
  const statements = files.filter(({ text }) =>
    /`\s*(?:WITH|SELECT|INSERT|UPDATE)\b|"SELECT /.test(text),
  );
  expect(statements.length).toBeGreaterThan(10);
  const unexplained = statements.filter(({ text }) => !/^\/\*\s/m.test(text));
  expect(unexplained.map(({ file }) => file)).toEqual([]);
});
