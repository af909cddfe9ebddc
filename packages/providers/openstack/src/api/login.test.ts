import { afterEach, describe, expect, it } from "vitest";
import { standardAnswers, tokenAnswer } from "../testing/cloud.ts";
import type { ScriptedAnswer, SeenRequest } from "../testing/http-service.ts";
import { cloud, noPorts, PORTS, ports, start } from "./testing/started-client.ts";

const LOGIN = "POST /identity/v3/auth/tokens";

afterEach(() => cloud.close());

/** Logins whose tokens are numbered. */
function countedLogins(): (request: SeenRequest) => ScriptedAnswer {
  let count = 0;
  return () => {
    count += 1;
    const standard = standardAnswers(cloud.service.url)[LOGIN];
    return { ...standard, headers: { "x-subject-token": `token-${count}` } };
  };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe("a token", () => {
  it("is fetched once for all concurrent callers", async () => {
    await start({ answers: { [PORTS]: noPorts } });
    await Promise.all([ports(), ports(), ports()]);
    expect(cloud.service.requests(LOGIN)).toHaveLength(1);
  });

  it("is fetched by another caller if the first one gave up", async () => {
    const [arrived, first] = [deferred(), deferred()];
    let logins = 0;
    await start({
      answers: {
        [PORTS]: noPorts,
        [LOGIN]: async () => {
          logins += 1;
          arrived.resolve();
          if (logins === 1) await first.promise;
          return { ...standardAnswers(cloud.service.url)[LOGIN] };
        },
      },
    });
    const given = new AbortController();
    const one = ports(cloud.context(given.signal));
    const other = ports();
    await arrived.promise;
    given.abort(new Error("the run ended"));
    await expect(one).rejects.toThrow("the run ended");
    await expect(other).resolves.toMatchObject({ status: 200 });
    first.resolve();
  });

  it("is renewed at four fifths of its lifetime, and stays in use if that fails", async () => {
    const keystone: { isUp: boolean } = { isUp: true };
    const logins = countedLogins();
    await start({
      answers: {
        [PORTS]: noPorts,
        [LOGIN]: (request) => (keystone.isUp ? logins(request) : { status: 503 }),
      },
    });
    await ports();
    cloud.pass(47 * 60_000);
    await ports();
    expect(cloud.service.requests(LOGIN)).toHaveLength(1);
    keystone.isUp = false;
    cloud.pass(2 * 60_000);
    await ports();
    await ports();
    expect(cloud.service.requests(LOGIN)).toHaveLength(2);
    keystone.isUp = true;
    cloud.pass(60_000);
    await ports();
    const used = cloud.service.requests(PORTS).map(({ headers }) => headers["x-auth-token"]);
    expect(used).toEqual(["token-1", "token-1", "token-1", "token-1", "token-2"]);
  });

  it("is renewed once if a service refuses it, and the request is repeated", async () => {
    await start({
      answers: {
        [LOGIN]: countedLogins(),
        [PORTS]: ({ headers }) =>
          headers["x-auth-token"] === "token-1" ? { status: 401, body: {} } : noPorts,
      },
    });
    await expect(ports()).resolves.toMatchObject({ status: 200 });
    expect(cloud.service.requests(LOGIN)).toHaveLength(2);
  });

  it("that is refused right after its renewal means refused credentials, not a missing object", async () => {
    await start({ answers: { [LOGIN]: countedLogins(), [PORTS]: { status: 401, body: {} } } });
    await expect(ports()).rejects.toMatchObject({ code: "Unauthorized" });
    expect(cloud.service.requests(PORTS)).toHaveLength(2);
  });
});

describe("a login that fails", () => {
  const keystone = (code: number, title: string, message: string) => ({
    status: code,
    body: { error: { code, title, message } },
  });

  it.each([
    [
      "a wrong secret",
      keystone(401, "Unauthorized", "The request you have made requires authentication."),
      "Unauthorized: Keystone refused our credentials",
    ],
    [
      "an unknown application credential",
      keystone(404, "Not Found", "Could not find Application Credential: ac."),
      "Unauthorized: Keystone refused our credentials",
    ],
    [
      "a wrong auth-url",
      { status: 404, text: "<html>Not Found</html>" },
      "Unavailable: correct auth-url in cloud.conf",
    ],
    [
      "a list of versions",
      { status: 300, body: { versions: {} } },
      "Unavailable: correct auth-url in cloud.conf",
    ],
    ["another service", { status: 201, body: {} }, "Unavailable: not what Keystone's API promises"],
    [
      "a broken Keystone",
      { status: 503, text: "no" },
      "Unavailable: Keystone refused token_create with 503",
    ],
  ])("by %s says so", async (_, answer, error) => {
    await start({ answers: { [LOGIN]: answer } });
    const [code, message] = error.split(": ");
    await expect(ports()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message ?? ""),
    });
  });

  it("by an expired token reports that it cannot be renewed", async () => {
    await start({
      credentials: "token = t0ken-of-ours",
      answers: { [LOGIN]: keystone(401, "Unauthorized", "t0ken-of-ours is no good") },
    });
    const error = await ports().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "Unauthorized",
      message: expect.stringContaining("cannot be renewed"),
    });
    expect(JSON.stringify(error)).not.toContain("t0ken-of-ours");
  });

  it("without a project names the missing option", async () => {
    await start({
      answers: {
        [LOGIN]: { ...tokenAnswer([]), body: { token: { expires_at: "2027-01-01T00:00:00Z" } } },
      },
    });
    await expect(ports()).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("tenant-id"),
    });
  });
});

describe("a catalog", () => {
  const endpoint = (region: string, path: string) => ({
    interface: "public",
    region_id: region,
    url: `${cloud.service.url}${path}`,
  });
  const twoRegions = () =>
    tokenAnswer([{ type: "network", endpoints: [endpoint("a", "/a"), endpoint("b", "/b")] }]);

  it("of several regions requires a region in the configuration", async () => {
    await start({ answers: { [LOGIN]: twoRegions } });
    await expect(ports()).rejects.toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("(a, b); set region"),
    });
  });

  it("is read for our region", async () => {
    await start({
      credentials: "region = b\ntoken = t0ken-of-ours",
      answers: { [LOGIN]: twoRegions, "GET /b/v2.0/ports": noPorts },
    });
    await expect(ports()).resolves.toMatchObject({ status: 200 });
  });

  it("without a service names it, and has no endpoint for it", async () => {
    await start({ answers: { [LOGIN]: () => tokenAnswer([{ type: "compute", endpoints: [] }]) } });
    await expect(ports()).rejects.toMatchObject({
      code: "Unsupported",
      message: expect.stringContaining("Neutron"),
    });
    await expect(cloud.client.endpoint("network", cloud.context())).resolves.toBeUndefined();
  });
});
