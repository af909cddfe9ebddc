import { recordedContexts } from "@cloudwright/provider-api/kit";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectTo } from "./connection/connect.ts";
import { createGrpcProvider } from "./grpc-provider.ts";
import { CONFIG, HELD } from "./testing/connected.ts";
import { BareStatus } from "./testing/contract-server.ts";
import {
  create,
  end,
  errorOf,
  lookUp,
  objects,
  provider,
  renew,
  source,
  start,
} from "./testing/session-fixture.ts";

beforeEach(renew);
afterEach(end);

describe("an answer", () => {
  it("that takes too long times out, and is cancelled", async () => {
    const cancelled: string[] = [];
    const hang = (name: string) => (_request: unknown, signal: AbortSignal) =>
      new Promise<never>(() => signal.addEventListener("abort", () => cancelled.push(name)));
    const more = { describeInstances: hang("describe"), createRoute: hang("create") };
    const made = await provider(more, { answerTimeoutMs: 50 });
    expect(await errorOf(made, "w-1")).toMatchObject({
      code: "TimedOut",
      call: { retryAfterMs: 50 },
    });
    expect(await create(made)).toMatchObject({ code: "TimedOut", call: { mayBeDone: true } });
    await expect.poll(() => cancelled).toEqual(["describe", "create"]);
  });

  it("is not waited for when the run ends, and the process receives a cancellation", async () => {
    const ended = new AbortController();
    let cancelled = false;
    const made = await provider({
      describeInstances: (_request, signal) => {
        signal.addEventListener("abort", () => {
          cancelled = true;
        });
        ended.abort(new Error("the run has ended"));
        return new Promise<never>(() => {});
      },
    });
    await expect(lookUp(made, ["w-1"], ended.signal)).rejects.toThrow("the run has ended");
    await expect.poll(() => cancelled).toBe(true);
  });

  it.each<[string, status, string]>([
    ["that is not implemented", status.UNIMPLEMENTED, "Unsupported"],
    ["of which nothing is known", status.UNKNOWN, "Unavailable"],
    ["that is cancelled", status.CANCELLED, "Unavailable"],
    ["that says not found without a failure", status.NOT_FOUND, "Unavailable"],
    ["that is too large", status.RESOURCE_EXHAUSTED, "OutOfBounds"],
  ])("%s is no absence", async (_name, code, expected) => {
    const made = await provider({
      describeInstances: () => {
        throw new BareStatus(code);
      },
    });
    expect(await errorOf(made, "w-1")).toMatchObject({ code: expected });
  });

  it("that rejects the fence means that the leader did not send it", async () => {
    const made = await provider({
      createRoute: () => {
        throw new BareStatus(status.ABORTED, "a newer leader was seen");
      },
    });
    expect(await create(made)).toMatchObject({ code: "Unavailable", call: { fenced: true } });
  });

  it("to fewer questions than were asked is not used for any of them", async () => {
    const made = await provider({ describeInstances: () => ({ lookups: [] }) });
    expect(await errorOf(made, "w-1")).toMatchObject({
      code: "Invalid",
      message: expect.stringContaining("0 of 1 questions"),
    });
  });

  it("that says absent without saying what was looked up is a failure", async () => {
    const made = await provider({
      describeInstances: () => ({
        lookups: [{ result: { case: "absent", value: { proof: { atMs: 1n } } } }],
      }),
    });
    expect(await errorOf(made, "w-1")).toMatchObject({ code: "Unavailable" });
  });

  it("that this release does not know is a failure", async () => {
    const made = await provider({ describeInstances: () => ({ lookups: [{}] }) });
    expect(await errorOf(made, "w-1")).toMatchObject({ code: "Unavailable" });
  });

  it("with a list above the limit is out of bounds", async () => {
    const made = await provider({
      listRoutes: () => ({ routes: Array.from({ length: 200_001 }, () => ({})) }),
    });
    const { context } = recordedContexts({ provider: "memory" });
    await expect(made.routes?.list(context())).rejects.toMatchObject({ code: "OutOfBounds" });
  });
});

describe("calls to the cloud", () => {
  const lookups = [{ result: { case: "unclaimed" as const, value: {} } }];

  it("that the process reports are recorded instead of the request", async () => {
    const calls = [
      { operation: "ec2.DescribeInstances", target: "page 1", status: 200 },
      { operation: "ec2.DescribeInstances", target: "page 2", status: 200 },
    ];
    const made = await provider({ describeInstances: () => ({ lookups, calls }) });
    const recorded = recordedContexts({ provider: "memory" });
    const refs = [{ nodeName: "w-1", providerID: undefined }];
    await made.instances?.describe(refs, { mode: "batch" }, recorded.context());
    expect(recorded.calls.map(({ target }) => target)).toEqual(["page 1", "page 2"]);
  });

  it.each([
    [true, 0],
    [false, 1],
  ])(
    "of a process that counts them (%s) are %i where it names none",
    async (reportsCalls, count) => {
      const made = await provider({ describeInstances: () => ({ lookups }) }, { reportsCalls });
      const recorded = recordedContexts({ provider: "memory" });
      const refs = [{ nodeName: "w-1", providerID: undefined }];
      await made.instances?.describe(refs, { mode: "batch" }, recorded.context());
      expect(recorded.calls).toHaveLength(count);
    },
  );
});

describe("a change", () => {
  it("carries the fence, and is not sent without the Lease", async () => {
    const fences: unknown[] = [];
    await source.use(
      await start({
        createRoute: ({ fence }) => {
          fences.push([fence?.holder, fence?.term]);
          return { route: {} };
        },
      }),
    );
    const held = [HELD.current()];
    const fence = { current: () => held.shift() };
    const { signal } = new AbortController();
    const made = await createGrpcProvider({ source, config: CONFIG, objects, fence, signal });
    await create(made);
    expect(await create(made)).toMatchObject({ code: "Unavailable", call: { fenced: true } });
    expect(fences).toEqual([["replica-1", 7n]]);
  });
});

it("reports the process's health", async () => {
  const server = await start();
  const { signal } = new AbortController();
  const connection = await connectTo(server.socketPath, { userAgent: "test/1", signal });
  const options = { signal, timeoutMs: 5_000 };
  expect(await connection.health(options)).toBe("serving");
  server.isServing = false;
  expect(await connection.health(options)).toBe("notServing");
  connection.close();
});
