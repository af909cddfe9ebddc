import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { appRouter } from "../../../../server/root.ts";
import { createContext } from "../../../../server/trpc.ts";

export const dynamic = "force-dynamic";

function handle(request: Request): Promise<Response> {
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => createContext(request.headers),
  });
}

export { handle as GET, handle as POST };
