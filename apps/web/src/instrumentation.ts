export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { guardEdge } = await import("./server/edge/edge.ts");
    const { speakLanguages } = await import("./server/language/serve-languages.ts");
    const { endInOrder } = await import("./instrumentation-node.ts");
    const { notifyWebhooks } = await import("./server/webhooks/notify-webhooks.ts");
    speakLanguages();
    guardEdge();
    endInOrder();
    notifyWebhooks();
  }
}
