package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"runtime/debug"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/klog/v2"
)

// protocol is the number of the contract.
const protocol = 1

const (
	// A fleet's objects arrive in one message.
	mostReceivedBytes = 256 << 20
	// How long calls that are under way may take to end when the process is asked to.
	endingTime = 8 * time.Second
)

// server serves one provider.
type server struct {
	providerv1.UnimplementedProviderServer
	name     string
	options  Options
	instance string
	end      context.CancelFunc

	objects  *objects
	classify classifier
	fence    fence
	turns    *oneAtATime
	within   kindsOfSlots
	began    *beginning
	others   *otherInstances
}

type kindsOfSlots struct {
	instances, loadBalancers, routes, volumes slots
}

// newServer: `end` ends the process.
func newServer(name string, options Options, clients cloudprovider.ControllerClientBuilder, end context.CancelFunc) *server {
	most := options.Concurrency.withDefaults()
	return &server{
		name: name, options: options, instance: rand.Text(), end: end,
		objects:  newObjects(),
		classify: classifier{own: options.Classify},
		turns:    newOneAtATime(),
		within: kindsOfSlots{
			instances: newSlots(most.Instances), loadBalancers: newSlots(most.LoadBalancers),
			routes: newSlots(most.Routes), volumes: newSlots(most.Volumes),
		},
		began:  newBeginning(name, clients, options.Wrap),
		others: &otherInstances{},
	}
}

// serve answers requests until the context ends; then it lets those that are under way end.
func (s *server) serve(ctx context.Context, listener net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer s.began.stop()
	server := grpc.NewServer(grpc.MaxRecvMsgSize(mostReceivedBytes), grpc.UnaryInterceptor(withoutPanics))
	providerv1.RegisterProviderServer(server, s)
	checks := health.NewServer()
	checks.SetServingStatus(providerv1.Provider_ServiceDesc.ServiceName, healthv1.HealthCheckResponse_SERVING)
	healthv1.RegisterHealthServer(server, checks)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ctx.Done()
		checks.Shutdown()
		endGracefully(server)
	}()
	err := server.Serve(listener)
	stop()
	<-ended
	if errors.Is(err, grpc.ErrServerStopped) {
		return nil
	}
	return err
}

func endGracefully(server *grpc.Server) {
	hurry := time.AfterFunc(endingTime, server.Stop)
	defer hurry.Stop()
	server.GracefulStop()
}

// withoutPanics is for our own mistakes: panics of the provider are caught where its methods are called.
func withoutPanics(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (answer any, err error) {
	defer func() {
		if value := recover(); value != nil {
			klog.ErrorS(&panicError{value: value}, "A request panicked", "method", info.FullMethod, "stack", string(debug.Stack()))
			answer, err = nil, failedCall(ctx, &Failure{Code: unavailable, Message: (&panicError{value: value}).Error(), MayBeDone: true})
		}
	}()
	return handle(ctx, request)
}

func (s *server) Handshake(_ context.Context, request *providerv1.HandshakeRequest) (*providerv1.HandshakeResponse, error) {
	klog.V(2).InfoS("A connection began", "connection", request.GetConnectionId(), "from", request.GetUserAgent(), "protocol", request.GetProtocol())
	return &providerv1.HandshakeResponse{
		Protocol: protocol, ProviderName: firstOf(s.options.ProviderName, s.name), Version: firstOf(s.options.Version, mainVersion()), Instance: s.instance,
	}, nil
}

func mainVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return firstOf(info.Main.Version, "unknown")
}

func (s *server) SyncObjects(_ context.Context, request *providerv1.SyncObjectsRequest) (*providerv1.SyncObjectsResponse, error) {
	s.objects.sync(request)
	return &providerv1.SyncObjectsResponse{}, nil
}

func (s *server) Shutdown(context.Context, *providerv1.ShutdownRequest) (*providerv1.ShutdownResponse, error) {
	klog.InfoS("Asked to end")
	s.end()
	return &providerv1.ShutdownResponse{}, nil
}
