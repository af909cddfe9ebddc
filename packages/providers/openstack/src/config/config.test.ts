import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig, watchConfig } from "./config.ts";

const SECRET = "s3cret-of-ours";
const USER = `username = u\nuser-domain-name = Default\npassword = ${SECRET}\n`;
const AC = `application-credential-id = ac\napplication-credential-secret = ${SECRET}\n`;
const GLOBAL = `[Global]\nauth-url = http://keystone:5000\n`;

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-openstack-"));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const source = (text: string | undefined, environment = {}) => ({
  ...{ text, path: "cloud.conf", environment },
  warn: (message: string) => void warnings.push(message),
});
const read = (text: string | undefined, environment = {}) => readConfig(source(text, environment));
const identityOf = async (text: string) => (await read(text)).identity;

describe("cloud.conf", () => {
  it("has upstream's defaults", async () => {
    const { loadBalancer, networking, route, metadata, regional, loadBalancerClasses } = await read(
      `${GLOBAL}${AC}`,
    );
    expect(loadBalancer).toMatchObject({
      enabled: true,
      lbProvider: "amphora",
      lbMethod: undefined,
      subnetId: undefined,
      createMonitor: false,
      monitorDelay: 5_000,
      monitorTimeout: 3_000,
      monitorMaxRetries: 1,
      monitorMaxRetriesDown: 3,
      cascadeDelete: true,
      ingressHostnameSuffix: "nip.io",
      containerStore: "barbican",
      maxSharedLb: 2,
      providerRequiresSerialApiCalls: false,
    });
    expect(networking.publicNetworkName).toEqual([]);
    expect([route.routerId, metadata.requestTimeout, regional]).toEqual([undefined, 60_000, false]);
    expect([loadBalancerClasses.size, warnings]).toEqual([0, []]);
  });

  it("is read with every kind of value, with sections and keys in upper or lower case", async () => {
    const config = await read(
      `${GLOBAL}${AC}
[networking]
public-network-name = a
public-network-name = "b # c"
address-sort-order = 10.0.0.0/8, fd00::/8
[LOADBALANCER]
Enabled = no
create-monitor
monitor-delay = 1m30s
max-shared-lb = 5
[LoadBalancerClass "Internal"]
floating-subnet = !~^public
subnet-id = s-1
[Route]
router-id = r-1
[Metadata]
request-timeout = 500ms
search-order = configDrive,metadataService
[BlockStorage]
bs-version = auto`,
      { OS_CCM_REGIONAL: "true" },
    );
    expect(config.networking).toMatchObject({
      publicNetworkName: ["a", "b # c"],
      addressSortOrder: ["10.0.0.0/8", "fd00::/8"],
    });
    expect(config.loadBalancer).toMatchObject({
      enabled: false,
      createMonitor: true,
      monitorDelay: 90_000,
      maxSharedLb: 5,
    });
    expect(config.loadBalancerClasses.get("Internal")).toMatchObject({
      floatingSubnet: "!~^public",
      subnetId: "s-1",
    });
    expect([config.route.routerId, config.metadata.requestTimeout, config.regional]).toEqual([
      "r-1",
      500,
      true,
    ]);
    expect(warnings).toEqual([]);
  });

  it("warns that upstream's waiting limit has no effect, as nothing waits", async () => {
    await read(`${GLOBAL}${AC}`, { OCCM_WAIT_LB_ACTIVE_STEPS: "40" });
    expect(warnings).toEqual([expect.stringMatching(/^OCCM_WAIT_LB_ACTIVE_STEPS has no effect: /)]);
  });

  it.each([
    ["[LoadBalancer]\nuse-octavia = true", "[LoadBalancer] has no option use-octavia"],
    ["[Barbican]\nx = 1", "there is no section [Barbican]"],
    ['[Global "x"]\nregion = 1', 'there is no section [Global "x"]'],
    ["[LoadBalancer]\nlb-provider = mine", "lb-provider mine is not one of"],
    ["[LoadBalancer]\nmonitor-timeout = 9s", "monitor-timeout is longer than monitor-delay"],
    ["[Networking]\naddress-sort-order = 10.0.0.0", "10.0.0.0, which is not a CIDR"],
  ])("warns of %j", async (text, warning) => {
    await read(`${GLOBAL}${AC}${text}`);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    [undefined, "needs a cloud.conf"],
    [`[Global]\n${AC}`, "lacks auth-url"],
    [`[Global]\nauth-url = keystone:5000\n${AC}`, "auth-url in [Global] of cloud.conf (line 2)"],
    [GLOBAL, "lacks credentials"],
    [`${GLOBAL}application-credential-id = ac`, "lacks application-credential-secret"],
    [
      `${GLOBAL}application-credential-name = ac\napplication-credential-secret = ${SECRET}`,
      "lacks user-id or username",
    ],
    [`${GLOBAL}username = u\npassword = ${SECRET}`, "lacks user-domain-id or user-domain-name"],
    [`${GLOBAL}${USER}${AC}`, "has an application credential and a password"],
    [`${GLOBAL}trust-id = t`, "lacks trustee-id"],
    [`${GLOBAL}${AC}cert-file = /c`, "cert-file and key-file need each other"],
    [
      `${GLOBAL}${AC}ca-file = /nowhere/ca.pem`,
      "The file /nowhere/ca.pem of ca-file cannot be read (ENOENT)",
    ],
    [`${GLOBAL}${AC}os-endpoint-type = outer`, "must be one of public, internal, admin"],
    [`${GLOBAL}${AC}[LoadBalancer]\nenabled = perhaps`, "must be true or false"],
    [`${GLOBAL}${AC}[LoadBalancer]\nmonitor-delay = 5`, "a duration with its unit"],
    [`${GLOBAL}${AC}[LoadBalancer]\nmonitor-delay`, "needs a value"],
    [`${GLOBAL}${AC}[LoadBalancer]\nmonitor-max-retries = 11`, "a whole number from 1 to 10"],
    [`${GLOBAL}${AC}[LoadBalancer]\nlb-version = v1`, "must be one of v2"],
    [
      `${GLOBAL}${AC}[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP`,
      "lb-provider ovn supports only",
    ],
    [`${GLOBAL}${AC}[LoadBalancer]\nfloating-subnet = ~(`, "not a regular expression"],
    [`${GLOBAL}${AC}[Metadata]\nsearch-order = dns`, "search-order has something other"],
  ])("%j is refused in one sentence without a value that may be secret", async (text, problem) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "ProviderError",
      code: "Invalid",
      message: expect.stringContaining(problem),
    });
    expect(String(error)).not.toContain(SECRET);
  });
});

describe("credentials", () => {
  it.each([
    [AC, { method: "applicationCredential", credential: { id: "ac" }, secret: SECRET }],
    [
      `application-credential-name = ac\napplication-credential-secret = ${SECRET}\nusername = u\ndomain-id = d\n`,
      {
        method: "applicationCredential",
        credential: { name: "ac", user: { name: "u", domain: { id: "d" } } },
      },
    ],
    [
      `${USER}tenant-name = t\ntenant-domain-id = td\n`,
      {
        method: "password",
        user: { name: "u", domain: { name: "Default" } },
        scope: { name: "t", domain: { id: "td" } },
      },
    ],
    [
      `user-id = u\npassword = ${SECRET}\ntenant-id = t\ntenant-name = n\n`,
      { user: { id: "u" }, scope: { id: "t" } },
    ],
    [`token = ${SECRET}\n`, { method: "token", token: SECRET, scope: undefined }],
    [
      `trust-id = t\ntrustee-id = u\ntrustee-password = ${SECRET}\n`,
      { method: "trust", trustId: "t", trustee: { id: "u" }, password: SECRET },
    ],
  ])("of %j", async (options, credentials) => {
    expect((await identityOf(`${GLOBAL}${options}`)).credentials).toMatchObject(credentials);
  });

  it.each([
    ["http://k:5000", "http://k:5000/v3"],
    ["http://k:5000/v3/", "http://k:5000/v3"],
    ["http://k/identity", "http://k/identity/v3"],
    ["http://k:5000/v2.0", "http://k:5000/v3"],
  ])("are sent below %s to %s", async (url, authUrl) => {
    expect((await identityOf(`[Global]\nauth-url = ${url}\n${AC}`)).authUrl).toBe(authUrl);
  });
});

describe("clouds.yaml", () => {
  const CLOUDS = `
clouds:
  one:
    profile: vendor
    auth: {username: u, user_domain_name: Default, project_id: p}
    region_name: r-1
    interface: internal
    verify: false
  two: {auth: 7}
`;
  const files = () => {
    write("secure.yaml", `clouds: {one: {auth: {password: ${SECRET}}}}`);
    write(
      "clouds-public.yaml",
      "public-clouds: {vendor: {auth: {auth_url: 'https://vendor/v3'}, region_name: r-0}}",
    );
    return write("clouds.yaml", CLOUDS);
  };

  it("is read with its secrets and its profile, and [Global] overrides it", async () => {
    const path = files();
    const identity = await identityOf(
      `[Global]\nuse-clouds\nclouds-file = ${path}\ncloud = one\nregion = mine\n`,
    );
    expect(identity).toEqual({
      authUrl: "https://vendor/v3",
      credentials: {
        method: "password",
        user: { name: "u", domain: { name: "Default" } },
        password: SECRET,
        scope: { id: "p" },
      },
      interface: "internal",
      region: "mine",
      tls: { caFile: undefined, certFile: undefined, keyFile: undefined, insecure: true },
    });
  });

  it("is found through the environment", async () => {
    const environment = { OS_CLIENT_CONFIG_FILE: files(), OS_CLOUD: "one" };
    expect((await read("[Global]\nuse-clouds", environment)).identity.region).toBe("r-1");
  });

  it.each([
    ["", "has one, two, so set cloud to say which"],
    ["cloud = three", "has no cloud three; it has one, two"],
    ["cloud = two", "two of"],
    ["clouds-file = /nowhere/clouds.yaml", "none of /nowhere/clouds.yaml can be read"],
  ])("with %j is refused", async (option, problem) => {
    const path = files();
    const text = `[Global]\nuse-clouds\nclouds-file = ${path}\n${option}`;
    await expect(read(text)).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringContaining(problem),
    });
  });

  it("with invalid YAML is refused without quoting its text", async () => {
    const path = write("clouds.yaml", `clouds: [${SECRET}`);
    const error = await read(`[Global]\nuse-clouds\nclouds-file = ${path}`).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("not valid YAML"),
    });
    expect(String(error)).not.toContain(SECRET);
  });
});

describe("a file that changes", () => {
  const start = async (path: string, text: string) => {
    let now = 0;
    const config = await watchConfig({ ...source(text), path }, () => now);
    return {
      after: (ms: number) => {
        now += ms;
        return config.current();
      },
    };
  };
  const withUser = (user: string) => `${GLOBAL}user-id = ${user}\npassword = ${SECRET}\n`;

  it("is read again within a few seconds", async () => {
    const path = write("cloud.conf", withUser("one"));
    const { after } = await start(path, withUser("one"));
    write("cloud.conf", withUser("another"));
    expect((await after(1_000)).identity.credentials).toMatchObject({ user: { id: "one" } });
    expect((await after(5_000)).identity.credentials).toMatchObject({ user: { id: "another" } });
  });

  it("is noticed as well if another file names it", async () => {
    const secure = (password: string) =>
      write("secure.yaml", `clouds: {one: {auth: {password: ${password}}}}`);
    const clouds = write(
      "clouds.yaml",
      "clouds: {one: {auth: {auth_url: 'http://k', user_id: u}}}",
    );
    const text = `[Global]\nuse-clouds\nclouds-file = ${clouds}\n`;
    secure("first");
    const { after } = await start(write("cloud.conf", text), text);
    secure("the second");
    expect((await after(5_000)).identity.credentials).toMatchObject({ password: "the second" });
  });

  it("to something invalid changes nothing, and causes one warning", async () => {
    const path = write("cloud.conf", withUser("one"));
    const { after } = await start(path, withUser("one"));
    write("cloud.conf", "[Global\n");
    expect((await after(5_000)).identity.credentials).toMatchObject({ user: { id: "one" } });
    await after(5_000);
    expect(warnings).toEqual([expect.stringMatching(/Line 1 of .* stays as it was/)]);
  });
});
