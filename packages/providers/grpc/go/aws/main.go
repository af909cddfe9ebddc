// The AWS provider process: k8s.io/cloud-provider-aws as it is, served to Cloudwright.
package main

import (
	"cloudwright.io/provider/serve"
	_ "k8s.io/cloud-provider-aws/pkg/providers/v1"
)

func main() {
	serve.MainWith("aws", serve.Options{Classify: classify, Wrap: tolerateOrphans})
}
