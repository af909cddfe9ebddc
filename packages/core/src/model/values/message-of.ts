/** What an error says of itself; what was thrown and is no error, as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
