import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { parse } from "@babel/parser";
import { ROOT } from "../lib/project.mjs";

/** The tags that word texts for readers (model/language/text.ts and components/language/mixed-text.ts). */
const TAGS = new Set(["t", "mixed", "textParts"]);

/**
 * Returns the messages of one source file: `{ text, place, isAtLoad }`, with the text as in catalogs, with `${0}`, `${1}` for its
 * values. `isAtLoad`: it would be worded while the module is loaded, before the reader's language is known.
 */
export function messagesOf(path) {
  const plugins = ["typescript", ...(path.endsWith("x") ? ["jsx"] : [])];
  const { program } = parse(readFileSync(path, "utf8"), { sourceType: "module", plugins });
  const found = [];
  visit(program, { isAtLoad: true }, (node, { isAtLoad }) => {
    if (node.type !== "TaggedTemplateExpression" || !TAGS.has(node.tag.name)) return;
    const place = `${relative(ROOT, path)}:${node.loc.start.line}`;
    found.push({ text: textOf(node.quasi), place, isAtLoad });
  });
  return found;
}

function textOf({ quasis }) {
  return quasis
    .map(({ value }, index) => (index === 0 ? value.cooked : `\${${index - 1}}${value.cooked}`))
    .join("")
    .replaceAll(/\s*\n\s*/g, " ");
}

function visit(node, state, meet) {
  if (Array.isArray(node)) for (const each of node) visit(each, state, meet);
  if (node === null || typeof node?.type !== "string") return;
  meet(node, state);
  const inside = isCalledLater(node, state)
    ? { ...state, isAtLoad: false }
    : { ...state, isSpread: isSpreadAway(node, state) };
  for (const [name, child] of Object.entries(node)) {
    if (name !== "loc" && typeof child === "object") visit(child, inside, meet);
  }
}

function isSpreadAway(node, { isSpread }) {
  return node.type === "SpreadElement" || (isSpread && node.type === "ObjectExpression");
}

/** A getter of an object that is spread runs immediately. */
function isCalledLater(node, { isSpread }) {
  return FUNCTIONS.has(node.type) && !(isSpread && node.kind === "get");
}

const FUNCTIONS = new Set([
  "ArrowFunctionExpression",
  "FunctionDeclaration",
  "FunctionExpression",
  "ObjectMethod",
  "ClassMethod",
]);
