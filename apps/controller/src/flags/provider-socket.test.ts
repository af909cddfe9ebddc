import { expect, it } from "vitest";
import { providerSocket, providerSocketOwner } from "./provider-socket.ts";

it("reads the path from the address of a Unix socket", () => {
  expect(providerSocket.parse("unix:///run/cloudwright/aws.sock")).toBe(
    "/run/cloudwright/aws.sock",
  );
  expect(providerSocket.parse("")).toBe("");
  expect(providerSocket.format("/run/aws.sock")).toBe('"unix:///run/aws.sock"');
});

it.each([
  "/run/aws.sock",
  "unix://aws.sock",
  "unix:///",
  "unix:///run/",
  "tcp://127.0.0.1:1",
  "unix:/a",
])("refuses %s", (text) => {
  expect(() => providerSocket.parse(text)).toThrow("must be the address of a Unix socket");
});

it.each([
  ["65532", { user: 65_532, group: undefined }],
  ["65532:1000", { user: 65_532, group: 1_000 }],
  [":1000", { user: undefined, group: 1_000 }],
  ["none", { user: undefined, group: undefined }],
])("reads the owner %s, and writes it as it was", (text, owner) => {
  expect(providerSocketOwner.parse(text)).toEqual(owner);
  expect(providerSocketOwner.format(owner)).toBe(text);
});

it.each(["aws", "1:2:3", ":", "-1", "1:"])("refuses the owner %s", (text) => {
  expect(() => providerSocketOwner.parse(text)).toThrow("must be the number of a user");
});
