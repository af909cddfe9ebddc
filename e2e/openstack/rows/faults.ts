import {
  createService,
  deleteService,
  editSpec,
  served,
  serviceGone,
} from "../../conformance/service/objects.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { leftOf, untilBalancer } from "../balancers.ts";
import { type OpenStackEnvironment, type Row, replaceCredential, row } from "../environment.ts";
import { nameOf, type ServiceCall } from "../fault-proxy.ts";
import { LONG_MS } from "../patience.ts";
import { credentialIn } from "../project.ts";
import { twoMembers } from "./services.ts";

const NAME = "o-f-web";
const RETRY_AFTER_S = 4;

/** What clouds do to their clients, through the proxy with TLS. */
export const faultRows: readonly Row[] = [
  row(
    "O-F-01",
    "the answer to a creation is lost: there is one load balancer, and one floating IP",
    async (env) => {
      await twoMembers(env);
      const lifts = ["/lbaas/loadbalancers", "/floatingips"].map((path) =>
        env.proxy.rule({
          times: 1,
          fits: ({ method, route }) => method === "POST" && route.endsWith(path),
          strike: () => "lose",
        }),
      );
      await createService(env, NAME);
      await served(env, NAME, LONG_MS);
      await untilBalancer(env, NAME, ({ listeners }) => same(listeners.length, 1, "listeners"));
      const left = await leftOf(env);
      for (const kind of ["load balancer", "floating IP"])
        same(left.filter((each) => each.startsWith(kind)).length, 1, `the number of ${kind}s`);
      for (const lift of lifts) lift();
    },
  ),
  row("O-F-02", "429 with Retry-After: no call for so long, then it goes on", async (env) => {
    await standing(env);
    let at = 0;
    const lift = env.proxy.rule({
      times: 1,
      fits: isChangeOf("load-balancer"),
      strike: () => {
        at = Date.now();
        return { status: 429, code: "OverLimit", retryAfter: RETRY_AFTER_S };
      },
    });
    await editSpec(env, NAME, { loadBalancerSourceRanges: ["192.0.2.0/24"] });
    await untilBalancer(env, NAME, ({ listeners }) =>
      same(listeners[0]?.allowed_cidrs, ["192.0.2.0/24"], "its ranges"),
    );
    const early = env.proxy.calls.filter(
      (call) =>
        isChangeOf("load-balancer")(call) && call.at > at && call.at < at + RETRY_AFTER_S * 1_000,
    );
    demand(at > 0, "the refusal was not met");
    same(early.length, 0, "changes during the wait");
    lift();
  }),
  row(
    "O-F-03",
    "409 immutable and 5xx: it comes back, and the change is made once",
    async (env) => {
      await standing(env);
      const fates = [
        {
          status: 409,
          code: "Client",
          message: "Load Balancer is immutable and cannot be updated.",
        },
        { status: 503, code: "Server", message: "no back end" },
      ];
      const lift = env.proxy.rule({
        times: fates.length,
        fits: isChangeOf("load-balancer"),
        strike: () => fates.shift(),
      });
      await editSpec(env, NAME, { ports: [{ name: "p", port: 8443, protocol: "TCP" }] });
      await untilBalancer(env, NAME, ({ listeners }) =>
        same(
          listeners.map(({ protocol_port }) => protocol_port),
          [8443],
          "its listeners",
        ),
      );
      lift();
    },
  ),
  row("O-F-04", "a slow cloud, and a lost answer to the deletion: nothing is left", async (env) => {
    await standing(env);
    const lifts = [
      env.proxy.rule({
        times: 1,
        fits: ({ method, route }) => method === "DELETE" && route.includes("/lbaas/loadbalancers/"),
        strike: () => "lose",
      }),
      env.proxy.rule({ fits: () => true, strike: slowly }),
    ];
    await deleteService(env, NAME);
    await serviceGone(env, NAME, LONG_MS);
    for (const lift of lifts) lift();
    same(await leftOf(env), [], "what is left");
  }),
  row(
    "O-F-05",
    "the credential is replaced and the former one revoked while Services are made: no call is refused, and no restart is needed",
    rotated,
  ),
];

const ROTATED = ["o-f-before", "o-f-meanwhile", "o-f-after"] as const;

async function rotated(env: OpenStackEnvironment): Promise<string> {
  const { project, proxy } = env;
  const { identity, userId } = project.console;
  const former = await credentialIn(project.console);
  await env.kill();
  replaceCredential(env, project.credential, former);
  try {
    await env.controller();
    await twoMembers(env);
    const [before, meanwhile, after] = ROTATED;
    await createService(env, before);
    replaceCredential(env, former, project.credential);
    proxy.forget();
    await createService(env, meanwhile);
    await eventually(() => demand(proxy.calls.some(isLogin), "nobody has logged in anew"), {
      withinMs: LONG_MS,
    });
    // What has left with the former token is answered before that is revoked.
    await served(env, meanwhile, LONG_MS);
    await identity.remove(`/users/${userId}/application_credentials/${former.id}`);
    await createService(env, after);
    for (const name of ROTATED) await served(env, name, LONG_MS);
    const refused = proxy.calls.filter(({ status }) => status === 401);
    same(refused.map(nameOf), [], "refused calls");
    return `${proxy.calls.filter(isLogin).length} logins, ${proxy.calls.length} calls`;
  } finally {
    // The rows that follow go on with the project's own.
    replaceCredential(env, former, project.credential);
    for (const name of ROTATED) await deleteService(env, name).catch(() => undefined);
    for (const name of ROTATED) await serviceGone(env, name, LONG_MS);
  }
}

function isLogin({ method, service, route }: ServiceCall): boolean {
  return method === "POST" && service === "identity" && route.endsWith("/auth/tokens");
}

/** The Service of the row before; another one where that row failed. */
async function standing(env: OpenStackEnvironment): Promise<void> {
  if (env.services.get(NAME) === undefined) await createService(env, NAME);
  await served(env, NAME, LONG_MS);
  await untilBalancer(env, NAME, () => undefined);
}

function isChangeOf(wanted: ServiceCall["service"]) {
  return ({ service, method }: ServiceCall) => service === wanted && method !== "GET";
}

const LATENCY_MS = 300;

async function slowly(): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
}
