import { resolve } from "node:path";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { startOptions } from "./options.mjs";

it("listens on loopback and keeps everything in .cloudwright by default", () => {
  expect(startOptions([])).toMatchObject({
    data: resolve(".cloudwright"),
    host: "127.0.0.1",
    port: 3_000,
    publicUrl: "http://127.0.0.1:3000",
    nodes: 12,
    clusters: 1,
    demo: false,
    real: undefined,
  });
});

it.each([
  [["--port", "8080"], { publicUrl: "http://127.0.0.1:8080" }],
  [["--host", "0.0.0.0"], { host: "0.0.0.0", publicUrl: "http://127.0.0.1:3000" }],
  [["--host", "::1"], { publicUrl: "http://[::1]:3000" }],
  [["--public-url", "https://cloud.example/"], { publicUrl: "https://cloud.example" }],
  [["--nodes", "0"], { nodes: 0 }],
  [["--clusters", "10"], { clusters: 10 }],
  [["--demo"], { demo: true }],
  [
    ["--kubeconfig", "/k", "--cloud-provider", "openstack", "--cloud-config", "/c"],
    { real: { kubeconfig: "/k", provider: "openstack", config: "/c", sandboxCloud: false } },
  ],
  [["--kubeconfig", "/k"], { real: { kubeconfig: "/k", provider: "sandbox", sandboxCloud: true } }],
])("takes %j", (args, expected) => {
  expect(startOptions(args)).toMatchObject(expected);
});

it.each([
  [["--port", "abc"], /^--port is "abc": it must be a whole number from 1 to 65535\.$/],
  [["--port", "0"], /^--port is "0"/],
  [
    ["--nodes", "-1"],
    /^Option '--nodes' argument is ambiguous\. [^\n]* See npm start -- --help\.$/,
  ],
  [["--clusters", "0"], /^--clusters is "0": it must be a whole number from 1 to 10\.$/],
  [["--clusters", "11"], /^--clusters is "11"/],
  [["--clusters", "2", "--kubeconfig", "/k"], /^--clusters is for the sandbox/],
  [["--public-url", "cloud"], /^--public-url is "cloud": it must be an http or https address\.$/],
  [["--cloud-provider", "x"], /^--cloud-provider and --cloud-config need --kubeconfig/],
  [["--cloud-config", "/c"], /^--cloud-provider and --cloud-config need --kubeconfig/],
  [["--kubeconfig", "/k", "--cloud-config", "/c"], /^--cloud-config needs --cloud-provider/],
  [["--demo", "--kubeconfig", "/k"], /^--demo is for the sandbox/],
  [["--nonsense"], /^Unknown option '--nonsense'\. See npm start -- --help\.$/],
  [["word"], /word/],
])("refuses %j in one sentence", (args, sentence) => {
  expect(() => startOptions(args)).toThrow(sentence);
});
