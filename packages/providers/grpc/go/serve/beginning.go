package serve

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/client-go/informers"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/klog/v2"
)

// beginning makes the provider and begins it once, in upstream's order: the configuration, Initialize, SetInformers, the informers.
type beginning struct {
	name    string
	clients cloudprovider.ControllerClientBuilder
	wrap    func(cloudprovider.Interface) cloudprovider.Interface
	stopped chan struct{}
	stop    func()

	mutex sync.Mutex
	// What the provider was made with; nil before.
	config   *string
	provider cloudprovider.Interface
	making   *attempt
	begun    *attempt
}

// attempt is a step that may take longer than the request that began it: the next request waits for the same one.
type attempt struct {
	done chan struct{}
	err  error
}

func newBeginning(name string, clients cloudprovider.ControllerClientBuilder, wrap func(cloudprovider.Interface) cloudprovider.Interface) *beginning {
	stopped := make(chan struct{})
	if wrap == nil {
		wrap = func(provider cloudprovider.Interface) cloudprovider.Interface { return provider }
	}
	return &beginning{name: name, clients: clients, wrap: wrap, stopped: stopped, stop: sync.OnceFunc(func() { close(stopped) })}
}

// made is the provider with this configuration, which has not begun anything.
func (b *beginning) made(ctx context.Context, config *string) (cloudprovider.Interface, error) {
	b.mutex.Lock()
	if b.making == nil || hasFailed(b.making) {
		b.config = config
		b.making = start(func() error { return b.make(config) })
	} else if !sameText(b.config, config) {
		b.mutex.Unlock()
		return nil, errOtherConfig
	}
	making := b.making
	b.mutex.Unlock()
	if err := making.wait(ctx); err != nil {
		return nil, err
	}
	return b.provider, nil
}

// begin lets the provider begin, once for all.
func (b *beginning) begin(ctx context.Context) error {
	b.mutex.Lock()
	if b.begun == nil {
		b.begun = start(b.beginProvider)
	}
	begun := b.begun
	b.mutex.Unlock()
	return begun.wait(ctx)
}

// current is the provider that has begun, or an error that Cloudwright answers by sending Initialize.
func (b *beginning) current() (cloudprovider.Interface, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.begun == nil || !b.begun.isDone() || b.begun.err != nil {
		return nil, status.Error(codes.FailedPrecondition, "the provider has not begun: Initialize comes first")
	}
	return b.provider, nil
}

func (b *beginning) make(config *string) error {
	return guarded(operation{name: "GetCloudProvider", target: b.name}, func() error {
		var reader io.Reader
		if config != nil {
			reader = strings.NewReader(*config)
		}
		provider, err := cloudprovider.GetCloudProvider(b.name, reader)
		if err != nil {
			return err
		}
		if provider == nil {
			return fmt.Errorf("no provider registered itself as %q: does the main package import it?", b.name)
		}
		b.provider = b.wrap(provider)
		return nil
	})
}

func (b *beginning) beginProvider() error {
	return guarded(operation{name: "Initialize", target: b.name}, func() error {
		b.provider.Initialize(b.clients, b.stopped)
		user, wants := b.provider.(cloudprovider.InformerUser)
		if !wants {
			return nil
		}
		return b.giveInformers(user)
	})
}

// Upstream's default of --min-resync-period, which it makes up to twice as long at random.
const resync = 12 * time.Hour

// The informers are the provider's own, with its own rights: it chooses what it watches.
func (b *beginning) giveInformers(user cloudprovider.InformerUser) error {
	client, err := b.clients.Client("shared-informers")
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, resync)
	user.SetInformers(factory)
	factory.Start(b.stopped)
	var missing []string
	for kind, synced := range factory.WaitForCacheSync(b.stopped) {
		if !synced {
			missing = append(missing, kind.String())
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return fmt.Errorf("the provider's informers of %s ended before they had listed", strings.Join(missing, ", "))
	}
	return nil
}

func start(step func() error) *attempt {
	made := &attempt{done: make(chan struct{})}
	go func() {
		defer close(made.done)
		made.err = step()
	}()
	return made
}

func (a *attempt) wait(ctx context.Context) error {
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return fmt.Errorf("the provider is still beginning; if this stays so, see its log: a right to list what it watches may be missing: %w", context.Cause(ctx))
	}
}

func (a *attempt) isDone() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

func hasFailed(a *attempt) bool {
	return a.isDone() && a.err != nil
}

func sameText(left, right *string) bool {
	return reflect.DeepEqual(left, right)
}

var errOtherConfig = status.Error(codes.FailedPrecondition, "the provider began with another cloud configuration: it ends, to start with the new one")

func (s *server) Initialize(ctx context.Context, request *providerv1.InitializeRequest) (*providerv1.InitializeResponse, error) {
	soon, cancel := shortlyBefore(ctx)
	defer cancel()
	provider, err := s.began.made(soon, request.CloudConfig)
	if err == errOtherConfig {
		// A Go provider cannot be begun twice in one process; whoever started this one starts the next.
		klog.ErrorS(err, "Ending")
		s.end()
		return nil, err
	}
	if err == nil && !request.GetCapabilitiesOnly() {
		err = s.began.begin(soon)
	}
	if err != nil {
		return nil, s.notBegun(ctx, err)
	}
	return &providerv1.InitializeResponse{Capabilities: s.capabilities(provider), Warnings: s.warnings(provider)}, nil
}

func (s *server) notBegun(ctx context.Context, err error) error {
	failure := s.classify.failure(err, operation{name: "Initialize", target: s.name})
	if err := withTrailer(ctx, failureTrailer, failure); err != nil {
		return err
	}
	if is(failure.GetCode(), unavailable, timedOut, throttled) {
		return status.Error(statusOfFailure(failure.GetCode()), failure.GetMessage())
	}
	return status.Error(codes.FailedPrecondition, failure.GetMessage())
}

func (s *server) warnings(provider cloudprovider.Interface) []string {
	announced := firstOf(s.options.ProviderName, s.name)
	if calls := provider.ProviderName(); calls != announced {
		return []string{fmt.Sprintf("the provider calls itself %q, and is served as %q", calls, announced)}
	}
	return nil
}
