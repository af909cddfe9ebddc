import type { Database } from "@cloudwright/store/database/database";
import type { DeliveryView } from "@cloudwright/store/views/webhooks";
import {
  deliveryView,
  insertDelivery,
  type NewMessage,
  readDue,
  settleDelivery,
} from "@cloudwright/store/webhooks/deliveries";
import { addresses } from "../../components/url/addresses.ts";
import { ATTEMPT_MS, attempt, type SendOptions } from "./delivery.ts";

export interface TestOptions {
  readonly webhook: {
    readonly id: string;
    readonly name: string;
    readonly clusterId: string | null;
  };
  /** The user who requests it. */
  readonly by: string;
  readonly options: SendOptions;
}

/** Sends one test message now, and returns the recorded result. */
export async function sendTest(
  db: Database,
  { webhook, by, options }: TestOptions,
): Promise<DeliveryView> {
  const now = options.now();
  const { id: webhookId, name } = webhook;
  const cluster =
    webhook.clusterId === null
      ? null
      : await db.prisma.cluster.findUnique({ where: { id: webhook.clusterId } });
  const message: NewMessage = {
    ...{ webhookId, clusterId: cluster?.id ?? null, clusterName: cluster?.name ?? "Cloudwright" },
    phase: "test",
    ...{ alarm: "test", condition: null, objectKind: null, objectName: null },
    ...{ count: 0, path: addresses.settings("notifications"), since: undefined },
    sentence: `This is a test of the webhook ${name}, sent by ${by}: nothing is wrong.`,
  };
  // No other process takes it before the result is in.
  const id = await insertDelivery(db.prisma, message, { now, claimedUntil: now + 6 * ATTEMPT_MS });
  const due = await readDue(db, id);
  if (due === undefined) throw new Error("The webhook was removed while it was tested.");
  const settled = await attempt(due, options);
  await settleDelivery(db, id, settled);
  const row = await db.prisma.webhookDelivery.findUniqueOrThrow({ where: { id } });
  return deliveryView(row, webhook);
}
