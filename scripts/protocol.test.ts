import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "./lib/project.mjs";
// @ts-expect-error The same.
import { CONTRACT, protocolHash, STAMP } from "./lib/protocol.mjs";

it.each(["src/generated", "go/gen"])(
  "has in %s the code that the contract's files give: else run npm run protocol",
  (generated) => {
    const folder = inProject(CONTRACT, generated);
    if (!existsSync(folder)) return;
    expect(readFileSync(`${folder}/${STAMP}`, "utf8").trim()).toBe(protocolHash());
  },
);
