import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import {
  AppRouterContext,
  type AppRouterInstance,
} from "next/dist/shared/lib/app-router-context.shared-runtime";
import {
  PathnameContext,
  PathParamsContext,
  SearchParamsContext,
} from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { type ReactNode, useSyncExternalStore } from "react";
import { ApiProvider } from "../components/api.ts";
import { type SignedIn, ViewerProvider } from "../platform/viewer/viewer-context.tsx";
import type { AppRouter } from "../server/root.ts";

/**
 * The server's answer to each procedure, by its path; a procedure that is not listed is never answered. A subscription is answered by a
 * `LiveStream`.
 */
export type Answers = Readonly<Record<string, (input: unknown) => unknown>>;

export interface Call {
  readonly path: string;
  readonly input: unknown;
}

export interface RenderedPage extends RenderResult {
  readonly user: UserEvent;
  /** The requests to the server, in order. */
  readonly calls: readonly Call[];
  /** The inputs of one procedure. */
  readonly sent: (path: string) => readonly unknown[];
  /** How often the page had the server read the user and the page anew. */
  readonly refreshes: () => number;
}

export const ANA: SignedIn = { id: "u-1", name: "Ana", email: "ana@example.org", role: "admin" };

/** Makes the server refuse with this code and sentence. */
export function refusal(code: string, sentence: string): () => never {
  return () => {
    throw refused(code, sentence);
  };
}

/** Renders a part of the dashboard as a browser would, against a server that answers as the test configures it. */
export function renderPage(
  ui: ReactNode,
  {
    answers = {},
    viewer = ANA,
    address = "/",
  }: { readonly answers?: Answers; readonly viewer?: SignedIn; readonly address?: string } = {},
): RenderedPage {
  window.history.replaceState(null, "", address);
  const calls: Call[] = [];
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const client = createTRPCClient<AppRouter>({ links: [answering(answers, calls)] });
  const page = render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <ApiProvider trpcClient={client} queryClient={queryClient}>
          <ViewerProvider viewer={viewer}>
            <Address>{ui}</Address>
          </ViewerProvider>
        </ApiProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const sent = (path: string) =>
    calls.filter((call) => call.path === path).map(({ input }) => input);
  const before = refreshed;
  const refreshes = () => refreshed - before;
  return { ...page, user: userEvent.setup(), calls, sent, refreshes };
}

interface StreamObserver {
  next(event: never): void;
  error(error: TRPCClientError<AppRouter>): void;
}

/** The server's stream of changes, which a test opens, feeds and breaks. */
export interface LiveStream {
  readonly attach: (observer: StreamObserver) => void;
  readonly open: () => void;
  readonly change: (...topics: readonly string[]) => void;
  /** Breaks the connection; the browser tries to reconnect. */
  readonly lose: () => void;
  readonly refuse: (code: string, sentence: string) => void;
  /** Returns how often the page has requested it. */
  readonly requested: () => number;
}

export function liveStream(): LiveStream {
  let observer: StreamObserver | undefined;
  let requested = 0;
  let sequence = 0;
  const send = (result: unknown) => observer?.next({ result } as never);
  return {
    attach(next) {
      observer = next;
      requested += 1;
    },
    open: () => send({ type: "started" }),
    change(...topics) {
      sequence += 1;
      const data = { id: String(sequence), data: { topics } };
      send({ type: "data", id: data.id, data });
    },
    lose: () => send({ type: "state", state: "connecting", error: null }),
    refuse: (code, sentence) => observer?.error(refused(code, sentence)),
    requested: () => requested,
  };
}

function refused(code: string, sentence: string): TRPCClientError<AppRouter> {
  return TRPCClientError.from({ error: { message: sentence, code: -32603, data: { code } } });
}

function answering(answers: Answers, calls: Call[]): TRPCLink<AppRouter> {
  return () =>
    ({ op: { path, input, type } }) =>
      observable((observer) => {
        calls.push({ path, input });
        const answer = answers[path];
        if (answer === undefined) return;
        if (type === "subscription") {
          (answer(input) as LiveStream).attach(observer);
          return;
        }
        Promise.resolve()
          .then(() => answer(input))
          .then(
            (data) => {
              observer.next({ result: { data } });
              observer.complete();
            },
            (error: TRPCClientError<AppRouter>) => observer.error(error),
          );
      });
}

const listeners = new Set<() => void>();

for (const name of ["pushState", "replaceState"] as const) {
  const written = window.history[name].bind(window.history);
  window.history[name] = (...change) => {
    written(...change);
    for (const listener of listeners) listener();
  };
}

let refreshed = 0;

const ROUTER: AppRouterInstance = {
  back: () => window.history.back(),
  forward: () => window.history.forward(),
  push: (address) => window.history.pushState(null, "", address),
  replace: (address) => window.history.replaceState(null, "", address),
  refresh: () => {
    refreshed += 1;
  },
  prefetch: () => undefined,
  bfcacheId: "1",
};

/** Provides the window's address as Next does, by default of a cluster's pages: what is pushed is rendered. */
function Address({ children }: { readonly children: ReactNode }) {
  const href = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => window.location.href,
  );
  const { pathname, searchParams } = new URL(href);
  const cluster = /^\/c\/([^/]+)/.exec(pathname)?.[1] ?? "c-1";
  return (
    <AppRouterContext value={ROUTER}>
      <PathnameContext value={pathname}>
        <PathParamsContext value={{ cluster }}>
          <SearchParamsContext value={searchParams}>{children}</SearchParamsContext>
        </PathParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
}
