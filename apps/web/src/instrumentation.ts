export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { notePeers } = await import("./server/peer-address.ts");
    const { endInOrder } = await import("./instrumentation-node.ts");
    notePeers();
    endInOrder();
  }
}
