import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Flags } from "../../harness/controller.ts";
import { demand, same } from "../../harness/wait.ts";
import { row, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";

const TOKEN = "t0ken-that-nobody-sees";

/** Rows B-11 and B-12: what is wrong before anything starts. */
export const WRONG_COMMAND_LINES: readonly Scenario[] = [
  row(
    "B-11",
    "an unknown flag, and a value of the wrong kind, end with 1 and name the flag",
    async (env) => {
      await refuses(env, { "--concurent-node-syncs": "3" }, [
        "--concurent-node-syncs",
        "--concurrent-node-syncs",
      ]);
      await refuses(env, { "--no-such-flag": "x" }, ["--no-such-flag"]);
      await refuses(env, { "--node-monitor-period": "soon" }, ["--node-monitor-period", "soon"]);
      const both = { "--kube-api-qps": "many", "--controllers": "nothing-like-it" };
      await refuses(env, both, ["--kube-api-qps", "many"]);
      const database = `postgresql://user:${TOKEN}#@127.0.0.1/ledger`;
      await refuses(env, { "--database-url": database }, ["--database-url", "percent escapes"]);
    },
  ),
  row(
    "B-12",
    "broken YAML, and a kubeconfig without what it names, ends with 1 and names the file, and never shows what is in it",
    async (env) => {
      const file = (name: string, text: string) => {
        const path = join(env.dir, name);
        writeFileSync(path, text);
        return path;
      };
      const cloud = file("b-12-broken.yaml", `endpoint: [\ntoken: "${TOKEN}\n`);
      await refuses(env, { "--cloud-config": cloud }, [cloud, "not valid YAML"]);
      const field = file(
        "b-12-field.yaml",
        `endpoint: http://127.0.0.1:1\ntoken: ${TOKEN}\nregoin: r1\n`,
      );
      await refuses(env, { "--cloud-config": field }, [field, "regoin"]);
      const kubeconfig = file("b-12-kubeconfig", `users: [{ name: u, user: { token: "${TOKEN}\n`);
      await refuses(env, { "--kubeconfig": kubeconfig }, [kubeconfig]);
      const nothing = file("b-12-nothing", `apiVersion: v1\nkind: Config\nusers: ${TOKEN}\n`);
      await refuses(env, { "--kubeconfig": nothing }, [nothing]);
      const pointing = file("b-12-pointing", kubeconfigOf("certificate-authority: /none/ca.crt"));
      await refuses(env, { "--kubeconfig": pointing }, [pointing, "/none/ca.crt"]);
      const garbled = file(
        "b-12-garbled",
        kubeconfigOf("certificate-authority-data: Z2FyYmFnZQ=="),
      );
      await refuses(env, { "--kubeconfig": garbled }, [garbled, "certificates"]);
    },
  ),
];

function kubeconfigOf(ca: string): string {
  return `clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", ${ca}}}]
users: [{name: u, user: {token: "${TOKEN}"}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`;
}

async function refuses(
  env: SharedEnvironment,
  flags: Flags,
  says: readonly string[],
): Promise<void> {
  const { code, output } = await env.startsAndEnds({ "--secure-port": "0", ...flags });
  same(code, 1, `the exit code (${output})`);
  for (const text of says) demand(output.includes(text), `it does not say "${text}": ${output}`);
  demand(!output.includes(TOKEN), `it shows the token: ${output}`);
  demand(!/^\s+at /m.test(output), `it shows a stack: ${output}`);
}
