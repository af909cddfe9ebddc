import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { inProject } from "./lib/project.mjs";
import { runtime } from "./lib/runtime.mjs";

/** Writes docs/flags.md from what the built command prints. */
const help = execFileSync(
  runtime(),
  [inProject("apps/controller/bin/cloudwright.mjs"), "controller", "--help"],
  {
    encoding: "utf8",
  },
);
const page = `# Flags

What \`cloudwright controller --help\` prints. Flags of upstream keep their names and meanings; where a default differs,
[differences.md](differences.md) says why. \`_\` in a flag's name is read as \`-\`.

\`\`\`text
${help.trimEnd()}
\`\`\`
`;
writeFileSync(inProject("docs", "flags.md"), page);
