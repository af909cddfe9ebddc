"use client";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchStreamLink,
  httpSubscriptionLink,
  splitLink,
} from "@trpc/client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import type { AppRouter } from "../server/root.ts";
import { ApiProvider } from "./api.ts";
import { problemOf } from "./problem.ts";

const URL_OF_API = "/api/trpc";
/** As many calls as the server accepts in one batch; further calls go into another batch. */
const CALLS_MOST = 20;

export function DataProvider({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const [queryClient] = useState(() => createQueryClient(router.refresh));
  const [client] = useState(createClient);
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </ApiProvider>
    </QueryClientProvider>
  );
}

let isLeaving = false;
if (typeof window !== "undefined") {
  window.addEventListener("beforeunload", () => {
    isLeaving = true;
  });
  window.addEventListener("pageshow", () => {
    isLeaving = false;
  });
}

function createClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ url: URL_OF_API, transformer: superjson }),
        false: httpBatchStreamLink({
          url: URL_OF_API,
          transformer: superjson,
          maxItems: CALLS_MOST,
        }),
      }),
    ],
  });
}

/** A refusal for the role shows that the page has an outdated one: `readViewer` reads the user again and keeps what is open. */
export function createQueryClient(readViewer: () => void) {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError: (error) => {
        if (problemOf(error).code === "FORBIDDEN") readViewer();
      },
    }),
    queryCache: new QueryCache({ onError: goToSignIn }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
        refetchOnWindowFocus: true,
      },
    },
  });
}

function isWorthRetrying(error: unknown): boolean {
  return ["NO_ANSWER", "SERVICE_UNAVAILABLE"].includes(problemOf(error).code);
}

/** A page that is being left, for example by signing out, keeps its destination instead of going to sign-in. */
function goToSignIn(error: unknown): void {
  if (isLeaving || problemOf(error).code !== "UNAUTHORIZED") return;
  const next = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
}
