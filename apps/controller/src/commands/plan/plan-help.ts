/** What `cloudwright plan --help` prints. */
export function planHelp(): string {
  return `Prints what the control loops would do to the cluster right now. Reads only: no Lease, no write, no Event, no record.

Usage: cloudwright plan --cloud-provider=NAME [controller flags] [flags]

      --only KIND/NAME
            this object alone, such as Node/w-1 or Service/shop/web
  -o, --output text|json
            for people or for programs; the JSON is described in docs/plan.md (default text)
      --timeout duration
            how long it may take (default 2m0s)
  -h, --help
            this text

The controller's flags are those of cloudwright controller --help; those of election, serving and the ledger have no effect.

Exit codes: 0 nothing would be done, 2 something would, 1 it could not be told.
`;
}
