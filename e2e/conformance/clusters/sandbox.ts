import { join } from "node:path";
import { cloudwrightServing } from "../../harness/processes.ts";
import { SERVICES } from "../../harness/service.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { accountUser } from "./accounts.ts";
import type { OpenedCluster, Refusal } from "./cluster-under-test.ts";
import { isShippedUser } from "./shipped-roles.ts";

interface LoggedRequest {
  at: string;
  method: string;
  verb: string;
  path: string;
  user: string;
  code: number;
  decision?: "allow" | "forbid";
  body?: string;
}

/** Starts the sandbox cluster as a separate process, which checks permissions like a real cluster. */
export async function sandboxCluster(workDir: string): Promise<OpenedCluster> {
  const kubeconfig = join(workDir, "sandbox.kubeconfig");
  const serve = () => startServer(workDir, kubeconfig);
  let server = await serve();
  let rules: object[] = [];
  const setRules = async (next: object[]) => {
    rules = next;
    await admin(server.admin, "PUT faults", { rules });
  };
  const requests = async () => {
    const answer = await admin(server.admin, "GET requests");
    return (answer as { requests: LoggedRequest[] }).requests;
  };
  const requestsOf = async (user: string) => {
    const all = (await requests()).filter((request) => request.user === user);
    return all.map(asRequest);
  };
  return {
    kind: "sandbox",
    kubeconfig,
    async refuse(refusal) {
      const rule = ruleOf(refusal);
      await setRules([...rules, rule]);
      return () => setRules(rules.filter((other) => other !== rule));
    },
    async writes(resource, name) {
      const part = `/${resource}/${name}`;
      const all = await requests();
      return all.filter(({ method, path }) => method !== "GET" && pathOf(path).includes(part))
        .length;
    },
    async serviceWrites(name) {
      const path = `${SERVICES}/${name}`;
      const all = (await requests()).filter(
        (request) =>
          request.method === "PATCH" && `${pathOf(request.path)}/`.startsWith(`${path}/`),
      );
      return all.map(({ at, verb, code, body, ...request }) => ({
        at: Date.parse(at),
        verb,
        path: request.path,
        code,
        body,
      }));
    },
    requestsOf: (account, namespace) => requestsOf(accountUser(account, namespace)),
    async refusals() {
      const all = await requests();
      return all
        .filter(({ user, decision }) => decision === "forbid" && isShippedUser(user))
        .map(asRequest);
    },
    async restart() {
      await server.stop("SIGKILL");
      server = await serve();
      await setRules(rules);
    },
    forgetVersions: async () => {
      await admin(server.admin, "POST compact");
    },
    close: async () => {
      await server.stop();
    },
  };
}

function asRequest({ at, verb, path, code }: LoggedRequest) {
  return { at: Date.parse(at), verb, path, code };
}

async function startServer(workDir: string, kubeconfig: string) {
  const folder = join(workDir, "cluster");
  const started = await cloudwrightServing<{ admin: string }>(
    [
      ...["sandbox", "cluster", "--listen", "127.0.0.1:0", "--state", folder],
      ...["--kubeconfig", kubeconfig, "--node-monitor-grace-period", "0", "--rbac"],
    ],
    { log: join(workDir, "cluster.log") },
  );
  const base = started.ready.admin.replace(/\/admin\/?$/, "").replace(/\/$/, "");
  await eventually(async () => {
    const { ok } = await fetch(`${base}/admin/faults`);
    demand(ok, "its /admin does not answer");
  });
  return { admin: base, stop: started.stop };
}

async function admin(base: string, call: string, body?: object): Promise<unknown> {
  const [method = "", path] = call.split(" ");
  const answer = await fetch(`${base}/admin/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

function ruleOf({ verb, node, message }: Refusal): object {
  const path = `/api/v1/nodes/${node}${verb === "PATCH_STATUS" ? "/status" : ""}`;
  return { verb: verb === "DELETE" ? "delete" : "patch", path, status: 422, message };
}

function pathOf(pathAndQuery: string): string {
  return pathAndQuery.split("?")[0] ?? "";
}
