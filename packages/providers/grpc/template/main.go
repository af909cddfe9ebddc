// Command cloudwright-provider-hcloud serves Hetzner's cloud provider to Cloudwright. For another one, change the import and the name
// under which that provider registers itself.
package main

import (
	"cloudwright.io/provider/serve"
	_ "github.com/hetznercloud/hcloud-cloud-controller-manager/hcloud"
)

func main() {
	serve.Main("hcloud")
}
