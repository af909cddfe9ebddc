export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { endInOrder } = await import("./instrumentation-node.ts");
    endInOrder();
  }
}
