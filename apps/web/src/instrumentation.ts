export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { guardEdge } = await import("./server/edge/edge.ts");
    const { endInOrder } = await import("./instrumentation-node.ts");
    const { notifyWebhooks } = await import("./server/webhooks/notify-webhooks.ts");
    guardEdge();
    endInOrder();
    notifyWebhooks();
  }
}
