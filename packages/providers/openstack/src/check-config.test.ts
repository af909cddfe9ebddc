import { expect, it, onTestFinished } from "vitest";
import { checkConfig } from "./check-config.ts";
import { type Answers, startCloud } from "./testing/cloud.ts";

const LB = "GET /load-balancer/v2.0/lbaas";
const NET = "GET /network/v2.0";

/** A cloud that has everything that `CONF` names. */
const THERE: Answers = {
  [`${NET}/networks/n-1`]: { body: { network: { id: "n-1", "router:external": false } } },
  [`${NET}/networks/ext`]: { body: { network: { id: "ext", "router:external": true } } },
  [`${NET}/subnets/s-1`]: { body: { subnet: { id: "s-1", network_id: "n-1" } } },
  [`${NET}/subnets/s-ext`]: { body: { subnet: { id: "s-ext", network_id: "ext" } } },
  [`${NET}/routers/r-1`]: { body: { router: { id: "r-1" } } },
  [`${NET}/ports`]: { body: { ports: [{ fixed_ips: [{ subnet_id: "s-1" }] }] } },
  [`${LB}/flavors/f-1`]: { body: { flavor: { id: "f-1" } } },
  [`${LB}/availabilityzones/z-1`]: { body: { availability_zone: { name: "z-1" } } },
  [`${LB}/providers`]: { body: { providers: [{ name: "amphora" }, { name: "ovn" }] } },
};

const CONF = `[LoadBalancer]
network-id = n-1
subnet-id = s-1
floating-network-id = ext
floating-subnet-id = s-ext
flavor-id = f-1
availability-zone = z-1
[LoadBalancerClass "inner"]
member-subnet-id = s-1
[Route]
router-id = r-1`;

const gone = (type: string) => ({
  status: 404,
  body: { NeutronError: { type, message: "could not be found", detail: "" } },
});

async function problemsOf(conf: string, answers: Answers = {}): Promise<readonly string[]> {
  const cloud = await startCloud({ answers: { ...THERE, ...answers }, conf });
  onTestFinished(() => cloud.close());
  return (await checkConfig(cloud, cloud.context())).map(({ message }) => message);
}

it("a configuration whose objects all exist has no problem", async () => {
  expect(await problemsOf(CONF)).toEqual([]);
});

it("options that are not set are not looked up", async () => {
  const cloud = await startCloud({ answers: {}, conf: "[LoadBalancer]\nenabled = false" });
  onTestFinished(() => cloud.close());
  expect(await checkConfig(cloud, cloud.context())).toEqual([]);
  expect(cloud.calls).toEqual([]);
});

it.each<[what: string, answers: Answers, sentence: RegExp]>([
  [
    "a subnet that is not there",
    { [`${NET}/subnets/s-1`]: gone("SubnetNotFound") },
    /^\[LoadBalancer\] subnet-id: Neutron shows this project no subnet s-1; correct the id/,
  ],
  [
    "a subnet of another network",
    { [`${NET}/subnets/s-1`]: { body: { subnet: { network_id: "n-2" } } } },
    /^\[LoadBalancer\] subnet-id: the subnet s-1 is in the network n-2, not in that of network-id/,
  ],
  [
    "a floating network that is not external",
    { [`${NET}/networks/ext`]: { body: { network: { "router:external": false } } } },
    /^\[LoadBalancer\] floating-network-id: the network ext is not an external network/,
  ],
  [
    "a floating subnet of another network",
    { [`${NET}/subnets/s-ext`]: { body: { subnet: { network_id: "n-1" } } } },
    /^\[LoadBalancer\] floating-subnet-id: .* not in that of floating-network-id/,
  ],
  [
    "a flavor that is not there",
    {
      [`${LB}/flavors/f-1`]: {
        status: 404,
        body: { faultcode: "Client", faultstring: "Flavor f-1 not found." },
      },
    },
    /^\[LoadBalancer\] flavor-id: Octavia shows this project no flavor f-1/,
  ],
  [
    "a provider that Octavia does not have",
    { [`${LB}/providers`]: { body: { providers: [{ name: "ovn" }] } } },
    /^\[LoadBalancer\] lb-provider: Octavia has no provider amphora; it has ovn\.$/,
  ],
  [
    "a router that is not there",
    { [`${NET}/routers/r-1`]: gone("RouterNotFound") },
    /^\[Route\] router-id: Neutron shows this project no router r-1/,
  ],
  [
    "a router that does not lead to the servers",
    { [`${NET}/ports`]: { body: { ports: [{ fixed_ips: [{ subnet_id: "s-9" }] }] } } },
    /^\[Route\] router-id: the router r-1 has no interface in the subnet s-1/,
  ],
  [
    "what may not be read",
    {
      [`${LB}/availabilityzones/z-1`]: {
        status: 403,
        body: { faultcode: "Client", faultstring: "Policy does not allow this request." },
      },
    },
    /^\[LoadBalancer\] availability-zone: it could not be checked: Octavia refused .*Policy/,
  ],
])("names %s, and nothing else", async (_what, answers, sentence) => {
  const problems = await problemsOf(CONF, answers);
  expect(problems[0]).toMatch(sentence);
  expect(problems.every((each) => sentence.test(each) || each.includes('"inner"'))).toBe(true);
});

it("names the class that contains a problem", async () => {
  expect(
    await problemsOf(`${CONF.replace("member-subnet-id = s-1", "member-subnet-id = s-0")}`, {
      [`${NET}/subnets/s-0`]: gone("SubnetNotFound"),
    }),
  ).toEqual([expect.stringMatching(/^\[LoadBalancerClass "inner"\] member-subnet-id: /)]);
});

it("services that do not respond are errors of each option, not problems of the configuration", async () => {
  const problems = await problemsOf("[Route]\nrouter-id = r-1", {
    [`${NET}/routers/r-1`]: { status: 503, text: "down" },
  });
  expect(problems).toEqual([
    expect.stringMatching(/^\[Route\] router-id: it could not be checked/),
  ]);
});
