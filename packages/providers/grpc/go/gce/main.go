// The Google Cloud provider process: k8s.io/cloud-provider-gcp as it is, served to Cloudwright.
package main

import (
	"cloudwright.io/provider/serve"
	_ "k8s.io/cloud-provider-gcp/providers/gce"
)

func main() {
	serve.Main("gce")
}
