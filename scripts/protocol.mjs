import { existsSync, writeFileSync } from "node:fs";
import { inProject, runMain } from "./lib/project.mjs";
import { CONTRACT, protocolHash, STAMP } from "./lib/protocol.mjs";
import { runTool } from "./setup/run-tool.mjs";

/** Folders of generated code, with the buf template for each: Go's tools are only available with Go. */
const TARGETS = [
  { template: "buf.gen.yaml", generated: "src/generated" },
  { template: "go/buf.gen.yaml", generated: "go/gen" },
];

/** `npm run protocol`: checks the contract with provider processes, and generates its code in TypeScript and Go. */
async function main() {
  await buf(["lint"]);
  for (const { template, generated } of TARGETS) {
    if (!existsSync(inProject(CONTRACT, template))) continue;
    await buf(["generate", "--template", template]);
    writeFileSync(inProject(CONTRACT, generated, STAMP), `${protocolHash()}\n`);
    console.log(`Wrote ${CONTRACT}/${generated}.`);
  }
}

function buf(args) {
  const bin = inProject("node_modules/.bin");
  const env = { PATH: `${bin}:${process.env.PATH ?? ""}` };
  const title = `buf ${args.join(" ")}`;
  return runTool({ title, command: `${bin}/buf`, args, cwd: inProject(CONTRACT), env });
}

await runMain(main);
