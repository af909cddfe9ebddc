import { beforeAll, describe, expect, it } from "vitest";
import { authoritiesOfConfigMap, caBundle, trustedBy } from "./client-authorities.ts";
import { authority } from "./testing/certificates.ts";

let ca: string;
let proxyCa: string;

beforeAll(async () => {
  ca = (await authority("clients")).cert;
  proxyCa = (await authority("proxies")).cert;
});

describe("the authorities of the cluster", () => {
  it("are the client CA, and the front proxy with its headers", () => {
    const authorities = authoritiesOfConfigMap({
      "client-ca-file": ca,
      "requestheader-client-ca-file": proxyCa,
      "requestheader-allowed-names": '["front-proxy"]',
      "requestheader-username-headers": '["X-Remote-User"]',
      "requestheader-group-headers": '["X-Remote-Group"]',
      "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    });
    expect(authorities.frontProxy).toMatchObject({
      allowedNames: ["front-proxy"],
      usernameHeaders: ["X-Remote-User"],
      uidHeaders: [],
      groupHeaders: ["X-Remote-Group"],
      extraHeaderPrefixes: ["X-Remote-Extra-"],
    });
    expect(trustedBy(authorities)).toEqual([ca.trim(), proxyCa.trim()]);
  });

  it.each([
    ["nothing", undefined],
    ["empty keys", { "client-ca-file": "", "requestheader-client-ca-file": "\n" }],
  ])("are none where there is %s", (_, data) => {
    expect(authoritiesOfConfigMap(data)).toEqual({ clients: undefined, frontProxy: undefined });
  });

  it.each([
    [{ "client-ca-file": "no certificate" }, /^client-ca-file: it contains no PEM certificate$/],
    [
      { "requestheader-allowed-names": "front" },
      /^requestheader-allowed-names: it is not a JSON list/,
    ],
    [
      { "requestheader-allowed-names": "[1]" },
      /^requestheader-allowed-names: it is not a JSON list/,
    ],
  ])("are refused by the key that cannot be used: %j", (data, message) => {
    expect(() => authoritiesOfConfigMap(data)).toThrow(message);
  });
});

it("include every certificate of a bundle", () => {
  expect(caBundle(`${ca}\n# the next one\n${proxyCa}`).fingerprints.size).toBe(2);
});
