// The same provider on the fake of Google's API that its own tests use, to play with and to test against.
//
// Its cloud configuration is `{"listen": "127.0.0.1:4800"}`: there the cloud is changed and looked at (see admin.go).
package main

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"

	"cloudwright.io/provider/serve"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/klog/v2"
)

// The real one, whose provider IDs it has, registers itself under its own name.
const name = "gcefake"

func main() {
	cloudprovider.RegisterCloudProvider(name, func(config io.Reader) (cloudprovider.Interface, error) {
		if config == nil {
			return nil, errors.New("--cloud-config is required")
		}
		var given struct{ Listen string }
		if err := json.NewDecoder(config).Decode(&given); err != nil {
			return nil, err
		}
		listener, err := net.Listen("tcp", given.Listen)
		if err != nil {
			return nil, err
		}
		fake := newCloud()
		go func() { klog.ErrorS(http.Serve(listener, admin(fake)), "The fake's own address ended") }()
		return withoutInformers{fake}, nil
	})
	serve.MainWith(name, serve.Options{ProviderName: "gce"})
}

// What the fake leaves out is what the provider's watch of Nodes writes to; the provider reads the zones that it manages instead.
type withoutInformers struct{ cloudprovider.Interface }
