import { demand, same } from "../../harness/wait.ts";
import { accountToken } from "../clusters/accounts.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import { newCallersStayStrangers } from "./followed-client-ca.ts";
import type { TakenRightRow } from "./taken-right.ts";
import { NOBODY, SYSTEM, says } from "./taken-right-parts.ts";

const CLIENT_CA = {
  resource: "configmaps",
  name: "extension-apiserver-authentication",
  ...SYSTEM,
};
const GUARDED = {
  ...NOBODY,
  "--authorization-always-allow-paths": "/healthz,/readyz,/livez,/metrics",
};

/** How callers of the HTTPS port are known, and what they may. */
export const CALLER_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-18",
    part: "https-authentication",
    verb: "create",
    group: "authentication.k8s.io",
    resource: "tokenreviews",
    title: "a caller with a token is refused, and the log says why",
    flags: GUARDED,
    knowsCallers: true,
    shows: async (env, replica) => {
      await refusesCaller(env, replica);
      await says(replica, /A request over HTTPS failed.*tokenreviews/);
    },
  },
  {
    id: "P-19",
    part: "https-authorization",
    verb: "create",
    group: "authorization.k8s.io",
    resource: "subjectaccessreviews",
    title: "a caller with a token is refused, and the log says why",
    flags: GUARDED,
    knowsCallers: true,
    shows: async (env, replica) => {
      await refusesCaller(env, replica);
      await says(replica, /A request over HTTPS failed.*subjectaccessreviews/);
    },
  },
  {
    id: "P-20",
    part: "https-authentication",
    verb: "get",
    ...CLIENT_CA,
    title: "it ends with 1 and says what to grant or to give",
    flags: GUARDED,
    knowsCallers: true,
    ends: true,
    shows: async (_, replica) => {
      same(await replica.ended, 1, "the exit code");
      for (const part of [
        "grant get, list and watch on the ConfigMap kube-system/extension-apiserver-authentication",
        "--authentication-tolerate-lookup-failure",
      ])
        demand(replica.output().includes(part), `it says ${replica.output()}`);
    },
  },
  {
    id: "P-21",
    part: "https-authentication",
    verb: "list",
    ...CLIENT_CA,
    title: "a client CA that the cluster adds is not noticed (P-53)",
    flags: GUARDED,
    knowsCallers: true,
    shows: newCallersStayStrangers,
  },
  {
    id: "P-22",
    part: "https-authentication",
    verb: "watch",
    ...CLIENT_CA,
    title: "it is listed again and again instead, and a log of details says so",
    flags: { ...GUARDED, "--v": "4" },
    knowsCallers: true,
    shows: (_, replica) => says(replica, /The watch of the client CA was interrupted/),
  },
];

/** Not to be read as a verdict about the caller. */
async function refusesCaller(env: IsolatedEnvironment, replica: Replica): Promise<void> {
  const scraper = await accountToken(env.kube, `${env.name}-scraper`, [
    { nonResourceURLs: ["/configz"], verbs: ["get"] },
  ]);
  same((await replica.ask("/configz", scraper))?.status, 503, "the answer to the caller");
}
