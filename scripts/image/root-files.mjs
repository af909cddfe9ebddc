import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { runtime } from "../lib/runtime.mjs";
import { ofDisk, productFiles, sorted, text } from "./product-files.mjs";
import { sharedLibraries } from "./shared-libraries.mjs";

/** The image's user; a number, so that Kubernetes can see that it is not root. */
export const USER = 65_532;

/** Returns the image's files by layer, those that change least first. `owner` is a number if it is not root; see `productFiles`. */
export function rootFiles() {
  const product = productFiles().map((file) => ({ ...file, path: `app/${file.path}` }));
  const program = realpathSync(runtime());
  const node = ofDisk("usr/local/bin/node", program, 0o755);
  const shared = libraries(program);
  return [
    { title: "system", files: sorted([...accounts(), ...folders(), ...shared]) },
    { title: "Node", files: [node] },
    {
      title: "Cloudwright",
      files: sorted([command(), systemBillOfMaterials({ program, node, shared }), ...product]),
    },
  ];
}

/** Lists what no package manager knows: Node, and the libraries of the machine that built the image. */
function systemBillOfMaterials({ program, node, shared }) {
  const version = execFileSync(program, ["--version"], { encoding: "utf8" });
  const number = version.trim().slice(1);
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    components: [
      {
        ...{ type: "application", name: "node", version: number },
        purl: `pkg:generic/node@${number}`,
        ...fileOf(node),
      },
      ...shared.map((file) => ({ type: "library", name: basename(file.path), ...fileOf(file) })),
    ],
  };
  return text("usr/share/cloudwright/system.cdx.json", `${JSON.stringify(bill, null, 2)}\n`);
}

function fileOf({ path, content }) {
  const digest = createHash("sha256").update(content()).digest("hex");
  return {
    hashes: [{ alg: "SHA-256", content: digest }],
    evidence: { occurrences: [{ location: `/${path}` }] },
  };
}

function accounts() {
  return [
    text(
      "etc/passwd",
      `root:x:0:0:root:/root:/sbin/nologin\ncloudwright:x:${USER}:${USER}::/tmp:/sbin/nologin\n`,
    ),
    text("etc/group", `root:x:0:\ncloudwright:x:${USER}:\n`),
    text("etc/nsswitch.conf", "hosts: files dns\n"),
  ];
}

/** A read-only root file system needs mounts at /tmp and, for the spool, at /var/lib/cloudwright. */
function folders() {
  return [
    { path: "tmp", mode: 0o1777, bytes: 0 },
    { path: "var/lib/cloudwright", mode: 0o700, bytes: 0, owner: USER },
  ];
}

function libraries(program) {
  return sharedLibraries(program).map((path) => ofDisk(path.slice(1), realpathSync(path), 0o755));
}

/** For kubectl exec: the image has no shell, which the command's own first line needs. */
function command() {
  const lines = `#!/usr/local/bin/node
await import("/app/apps/controller/bin/cloudwright.mjs");
`;
  return text("usr/local/bin/cloudwright", lines, 0o755);
}
