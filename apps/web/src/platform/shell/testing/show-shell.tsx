import type { ClusterView } from "@cloudwright/store/views/clusters";
import { useQuery } from "@tanstack/react-query";
import { afterEach, beforeEach, vi } from "vitest";
import { useApi } from "../../../components/api.ts";
import { changePreferences } from "../../../components/preferences.ts";
import { cluster } from "../../../testing/cluster-view.ts";
import { ANA, type Answers, liveStream, renderPage } from "../../../testing/render-page.tsx";
import { viewAs } from "../../viewer/view-as.ts";
import { Shell } from "../shell.tsx";

/** The answer of the server's own probe. */
type Health = { database: "ok" | "unreachable" } | "silent";

/** Provides for each test of the file a server whose probe answers as configured with `set`, and a new user's preferences. */
export function serverProbe(): { set(answer: Health): void } {
  let health: Health = { database: "ok" };
  beforeEach(() => {
    health = { database: "ok" };
    vi.stubGlobal("fetch", () =>
      health === "silent"
        ? Promise.reject(new TypeError("no answer"))
        : Promise.resolve(new Response(JSON.stringify(health))),
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    viewAs(undefined);
    changePreferences(() => ({ time: "relative", zone: "local", density: "normal" }));
  });
  return {
    set: (answer) => {
      health = answer;
    },
  };
}

/** Renders a page of the cluster `c-1` with its whole frame. */
export function showShell(
  view: Partial<ClusterView> = {},
  {
    answers = {},
    viewer = ANA,
    address = "/c/c-1/nodes",
  }: {
    readonly answers?: Answers;
    readonly viewer?: typeof ANA;
    readonly address?: string;
  } = {},
) {
  const stream = liveStream();
  const page = renderPage(
    <Shell cluster="c-1" viewer={viewer}>
      <Page />
    </Shell>,
    {
      ...{ address, viewer },
      answers: {
        "clusters.byId": () => cluster(view),
        "controllers.activity": () => [],
        "live.changes": () => stream,
        "people.admins": () => ["Cleo"],
        ...answers,
      },
    },
  );
  return { page, stream };
}

/** A page that reads one list, as all pages do. */
function Page() {
  const api = useApi();
  const nodes = useQuery(api.controllers.activity.queryOptions({ cluster: "c-1" }));
  return (
    <>
      <h1>A page</h1>
      <p>{nodes.data === undefined ? "nothing read" : "read"}</p>
      <button type="button">In the page</button>
    </>
  );
}
