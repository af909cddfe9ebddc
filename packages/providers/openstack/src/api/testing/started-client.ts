import { z } from "zod";
import { type CloudOptions, type CloudUnderTest, startCloud } from "../../testing/cloud.ts";
import type { ScriptedAnswer } from "../../testing/http-service.ts";

export const PORTS = "GET /network/v2.0/ports";

export let cloud: CloudUnderTest;

export async function start(options: CloudOptions) {
  cloud = await startCloud(options);
  return cloud;
}

export const ports = (context = cloud.context()) =>
  cloud.client.request({
    ...{ service: "network", path: "/ports", operation: "port_list", target: "all", context },
    schema: z.object({ ports: z.array(z.object({ id: z.string() })) }),
  });

export const noPorts: ScriptedAnswer = { body: { ports: [] } };
