import { createPrivateKey, X509Certificate } from "node:crypto";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { describe, expect, it } from "vitest";
import { createAuthority, createServingCertificate, selfSignedFor } from "./certificates.ts";

const NOON = Date.parse("2026-11-28T12:00:00Z");

describe("a certificate that vouches for itself", () => {
  it("names its hosts and is good for a year, from an hour before it was made", async () => {
    const { certificate, key } = await selfSignedFor(["localhost", "127.0.0.1", "fd00::a:1"], NOON);
    const read = new X509Certificate(certificate);
    expect(read).toMatchObject({ subject: "CN=localhost", issuer: "CN=localhost", ca: false });
    expect(read.subjectAltName).toBe(
      "DNS:localhost, IP Address:127.0.0.1, IP Address:FD00:0:0:0:0:0:A:1",
    );
    expect(read.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect([read.validFromDate, read.validToDate].map((at) => at.toISOString())).toEqual([
      "2026-11-28T11:00:00.000Z",
      "2027-11-28T11:00:00.000Z",
    ]);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  it("has a serial number and a key of its own each time", async () => {
    const pairs = await Promise.all([selfSignedFor(["localhost"]), selfSignedFor(["localhost"])]);
    const serials = pairs.map(({ certificate }) => new X509Certificate(certificate).serialNumber);
    expect(new Set(serials).size).toBe(2);
    expect(new Set(pairs.map(({ key }) => key)).size).toBe(2);
  });

  it("is good until a year that takes four digits, too", async () => {
    const { certificate } = await createAuthority("long", 10_000);
    const { validToDate } = new X509Certificate(certificate);
    expect(validToDate.getTime() - Date.now()).toBeGreaterThan(9_999 * 86_400_000);
  });
});

describe("an authority", () => {
  it("vouches for a server whose client knows nothing but the authority", async () => {
    const authority = await createAuthority("an authority in Zürich", 30);
    const pair = await createServingCertificate(authority, ["named.example", "127.0.0.1"], 7);
    const [issuer, read] = [authority, pair].map((each) => new X509Certificate(each.certificate));
    expect(issuer?.ca).toBe(true);
    expect(read?.issuer).toBe("CN=an authority in Zürich");
    expect(issuer !== undefined && read?.checkIssued(issuer)).toBe(true);
    expect(await trusted({ ...pair, ca: authority.certificate })).toBe(true);
  });

  it("is refused by a client that knows another one of its name", async () => {
    const [authority, other] = await Promise.all([
      createAuthority("a", 1),
      createAuthority("a", 1),
    ]);
    const pair = await createServingCertificate(authority, ["127.0.0.1"], 1);
    await expect(trusted({ ...pair, ca: other.certificate })).rejects.toThrow();
  });
});

/** Whether a client on loopback accepts a server with this pair. */
async function trusted(options: { certificate: string; key: string; ca: string }) {
  const { certificate: cert, key, ca } = options;
  const server = createServer({ cert, key }, (socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise<boolean>((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, ca }, () => resolve(socket.authorized));
      socket.once("error", reject);
    });
  } finally {
    server.close();
  }
}
