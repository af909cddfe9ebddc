/** What a process reports to whoever started it with an IPC channel. */
export type ParentMessage =
  /** The caches are warm. */
  | { readonly type: "ready"; readonly identity: string; readonly securePort: number }
  /** It ends with exit code 1 because a Lease was lost (spec/00 §16), and not for another reason. */
  | { readonly type: "leaseLost" };

export function tellParent(message: ParentMessage): void {
  if (process.send === undefined || !process.connected) return;
  process.send(message);
}
