import type { ClusterView } from "@cloudwright/store/views/clusters";
import { useQuery } from "@tanstack/react-query";
import { afterEach, beforeEach, vi } from "vitest";
import { useApi } from "../../../components/api.ts";
import { changePreferences } from "../../../components/preferences.ts";
import { cluster } from "../../../testing/cluster-view.ts";
import { ANA, type Answers, liveStream, renderPage } from "../../../testing/render-page.tsx";
import { viewAs } from "../../viewer/view-as.ts";
import { Shell } from "../shell.tsx";

/** What the server's own probe answers. */
type Health = { database: "ok" | "unreachable" } | "silent";

/** For each test of the file: a server whose probe answers what `set` says, and the preferences of somebody new. */
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

/** A page of the cluster `c-1` with everything that stands round it. */
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

/** A page that reads one list, as all of them do. */
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
