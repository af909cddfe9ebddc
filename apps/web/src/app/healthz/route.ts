import { health } from "../../server/health.ts";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return Response.json(await health(), { headers: { "Cache-Control": "no-store" } });
}
