package serve

import (
	"errors"
	"fmt"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	cloudprovider "k8s.io/cloud-provider"
)

// clientBuilder makes the clients by which a provider itself talks to the cluster. Making one fails without a cluster; a
// provider that needs none never asks.
type clientBuilder struct {
	config  *rest.Config
	problem error
}

var _ cloudprovider.ControllerClientBuilder = (*clientBuilder)(nil)

func clientBuilderFor(kubeconfig string) *clientBuilder {
	config, err := configFrom(kubeconfig)
	if err != nil {
		err = fmt.Errorf("this provider talks to the cluster itself and has no access: %w", err)
	}
	return &clientBuilder{config: config, problem: err}
}

func configFrom(kubeconfig string) (*rest.Config, error) {
	if kubeconfig != "" {
		return clientcmd.BuildConfigFromFlags("", kubeconfig)
	}
	config, err := rest.InClusterConfig()
	if errors.Is(err, rest.ErrNotInCluster) {
		return nil, fmt.Errorf("%s names no kubeconfig, and the process does not run in a pod with a service account", environmentKubeconfig)
	}
	return config, err
}

func (b *clientBuilder) Config(name string) (*rest.Config, error) {
	if b.problem != nil {
		return nil, b.problem
	}
	return rest.AddUserAgent(rest.CopyConfig(b.config), name), nil
}

func (b *clientBuilder) Client(name string) (kubernetes.Interface, error) {
	config, err := b.Config(name)
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}

// ConfigOrDie panics where upstream's ends the process: the panic becomes the failure of the call that led here.
func (b *clientBuilder) ConfigOrDie(name string) *rest.Config {
	config, err := b.Config(name)
	if err != nil {
		panic(err)
	}
	return config
}

// ClientOrDie panics as ConfigOrDie does.
func (b *clientBuilder) ClientOrDie(name string) kubernetes.Interface {
	client, err := b.Client(name)
	if err != nil {
		panic(err)
	}
	return client
}
