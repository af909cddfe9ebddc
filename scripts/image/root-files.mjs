import { realpathSync } from "node:fs";
import { runtime } from "../lib/runtime.mjs";
import { ofDisk, productFiles, sorted, text } from "./product-files.mjs";
import { sharedLibraries } from "./shared-libraries.mjs";

/** Who the image runs as; a number, so that Kubernetes can see that it is not root. */
export const USER = 65_532;

/** What is in the image, by layer: what changes least comes first. `owner` is a number where it is not root; see `productFiles`. */
export function rootFiles() {
  const product = productFiles().map((file) => ({ ...file, path: `app/${file.path}` }));
  return [
    { title: "system", files: sorted([...accounts(), ...folders(), ...libraries()]) },
    { title: "Node", files: [ofDisk("usr/local/bin/node", realpathSync(runtime()), 0o755)] },
    { title: "Cloudwright", files: sorted([command(), ...product]) },
  ];
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

function libraries() {
  return sharedLibraries(realpathSync(runtime())).map((path) =>
    ofDisk(path.slice(1), realpathSync(path), 0o755),
  );
}

/** For kubectl exec: the image has no shell, which the command's own first line asks for. */
function command() {
  const lines = `#!/usr/local/bin/node
await import("/app/apps/controller/bin/cloudwright.mjs");
`;
  return text("usr/local/bin/cloudwright", lines, 0o755);
}
