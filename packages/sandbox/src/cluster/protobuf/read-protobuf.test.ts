import { describe, expect, it } from "vitest";
import { jsonOfProtobuf } from "./read-protobuf.ts";

/** Encodes a field of bytes, text or a message: number, length, content. */
function field(number: number, content: string | readonly number[]): number[] {
  const bytes = typeof content === "string" ? [...new TextEncoder().encode(content)] : content;
  return [number * 8 + 2, bytes.length, ...bytes];
}

function envelope(apiVersion: string, kind: string, raw: readonly number[]): Uint8Array {
  const type = [...field(1, apiVersion), ...field(2, kind)];
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...field(1, type), ...field(2, raw)]);
}

const NAME_X = field(1, field(1, "x"));

describe("a protobuf body", () => {
  it("becomes the equivalent JSON", () => {
    const entry = (key: string, value: string) => field(2, [...field(1, key), ...field(2, value)]);
    const map = [...NAME_X, ...entry("a", "1"), ...entry("b", "2"), 4 * 8, 1];
    expect(JSON.parse(jsonOfProtobuf(envelope("v1", "ConfigMap", map)))).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "x" },
      data: { a: "1", b: "2" },
      immutable: true,
    });
  });

  it("keeps bytes, times and numbers", () => {
    const renewTime = field(4, [8, 1, 16, 0x80, 0xb5, 0x18]);
    const spec = [...field(1, "me"), 2 * 8, 15, ...renewTime];
    const lease = [...NAME_X, ...field(2, spec)];
    expect(
      JSON.parse(jsonOfProtobuf(envelope("coordination.k8s.io/v1", "Lease", lease))),
    ).toMatchObject({
      spec: {
        holderIdentity: "me",
        leaseDurationSeconds: 15,
        renewTime: "1970-01-01T00:00:01.000400Z",
      },
    });
  });

  it("distinguishes the number of a target port from its name", () => {
    const target = (...parts: number[]) => field(4, parts);
    const port = (number: number, ...target4: number[]) => field(1, [3 * 8, number, ...target4]);
    const spec = [
      ...port(80, ...target(8, 0, 16, 81)),
      ...port(82, ...target(8, 1, 26, 1, 0x78), 5 * 8, 7),
      ...field(3, "10.96.0.9"),
      ...[0x92, 0x01, 9, ...new TextEncoder().encode("10.96.0.9")],
    ];
    const service = [...NAME_X, ...field(2, spec)];
    expect(JSON.parse(jsonOfProtobuf(envelope("v1", "Service", service)))).toMatchObject({
      spec: {
        ports: [
          { port: 80, targetPort: 81 },
          { port: 82, targetPort: "x", nodePort: 7 },
        ],
        clusterIP: "10.96.0.9",
        clusterIPs: ["10.96.0.9"],
      },
    });
  });

  it("skips unknown fields", () => {
    const number50 = [0x90, 0x03, 7];
    const odd = [...number50, ...NAME_X];
    expect(JSON.parse(jsonOfProtobuf(envelope("v1", "ConfigMap", odd)))).toMatchObject({
      metadata: { name: "x" },
    });
  });

  it("is refused without its magic number, cut off, or of a kind that accepts only JSON", () => {
    expect(() => jsonOfProtobuf(new TextEncoder().encode("{}"))).toThrow("protobuf message");
    expect(() => jsonOfProtobuf(envelope("v1", "ConfigMap", [10, 99, 1]))).toThrow("malformed");
    expect(() => jsonOfProtobuf(envelope("v1", "Pod", NAME_X))).toThrow("as JSON alone");
  });
});
