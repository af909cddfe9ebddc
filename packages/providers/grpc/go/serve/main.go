package serve

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"k8s.io/klog/v2"
)

const (
	// environmentSocket is the path that a process which Cloudwright started listens on.
	environmentSocket = "CLOUDWRIGHT_PROVIDER_SOCKET"
	// environmentKubeconfig names a kubeconfig of the provider's own, for a provider that talks to the cluster.
	environmentKubeconfig = "CLOUDWRIGHT_PROVIDER_KUBECONFIG"
	// environmentVerbosity is klog's verbosity, a number.
	environmentVerbosity = "CLOUDWRIGHT_PROVIDER_VERBOSITY"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

// Main serves the provider that registered itself under this name until the process is asked to end. It does not return.
func Main(name string) {
	MainWith(name, Options{})
}

// MainWith is Main with options.
func MainWith(name string, options Options) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	code := run(ctx, name, options, surroundings{
		arguments: os.Args[1:], environment: os.Getenv, standardInput: os.Stdin, standardError: os.Stderr,
	})
	stop()
	os.Exit(code)
}

// surroundings is what a process is given.
type surroundings struct {
	arguments     []string
	environment   func(string) string
	standardInput io.Reader
	standardError io.Writer
}

func run(ctx context.Context, name string, options Options, given surroundings) int {
	settings, err := parseSettings(name, given)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(given.standardError, err)
		return exitUsage
	}
	logAsJSON(given.standardError, settings.verbosity)
	ctx, end := context.WithCancel(ctx)
	defer end()
	if settings.startedByCloudwright {
		go endWith(given.standardInput, end)
	}
	listener, err := listen(settings.socket, settings.socketMode)
	if err != nil {
		klog.ErrorS(err, "Could not listen", "socket", settings.socket)
		return exitFailed
	}
	klog.InfoS("Serving", "provider", name, "socket", settings.socket)
	serving := newServer(name, options, clientBuilderFor(settings.kubeconfig), end)
	if err := serving.serve(ctx, listener); err != nil {
		klog.ErrorS(err, "Serving ended")
		return exitFailed
	}
	return 0
}

type settings struct {
	socket     string
	socketMode os.FileMode
	kubeconfig string
	verbosity  int
	// Then the process ends with its standard input; a sidecar has none.
	startedByCloudwright bool
}

const privateSocketMode = 0o600

func parseSettings(name string, given surroundings) (settings, error) {
	flags := flag.NewFlagSet("cloudwright-provider-"+name, flag.ContinueOnError)
	flags.SetOutput(given.standardError)
	verbosity, _ := strconv.Atoi(given.environment(environmentVerbosity))
	socket := flags.String("socket", "", "path of the Unix socket to listen on as a sidecar (Cloudwright names it in "+environmentSocket+" when it starts the process itself)")
	mode := flags.String("socket-mode", "0660", "permissions of a sidecar's socket, in octal")
	kubeconfig := flags.String("kubeconfig", given.environment(environmentKubeconfig), "kubeconfig of the provider's own; without it the pod's service account")
	flags.IntVar(&verbosity, "v", verbosity, "klog's verbosity")
	if err := flags.Parse(given.arguments); err != nil {
		return settings{}, err
	}
	if flags.NArg() > 0 {
		return settings{}, fmt.Errorf("%s takes no argument, but was given %q", flags.Name(), flags.Arg(0))
	}
	if private := given.environment(environmentSocket); private != "" && *socket == "" {
		return settings{private, privateSocketMode, *kubeconfig, verbosity, true}, nil
	}
	if *socket == "" {
		return settings{}, fmt.Errorf("%s is started by Cloudwright (--cloud-provider=%s), or as a sidecar with --socket=PATH", flags.Name(), name)
	}
	bits, err := strconv.ParseUint(*mode, 8, 32)
	if err != nil || bits > 0o777 {
		return settings{}, fmt.Errorf("--socket-mode is %q, which is no octal mode such as 0660", *mode)
	}
	return settings{*socket, os.FileMode(bits), *kubeconfig, verbosity, false}, nil
}

// endWith ends the process with its standard input, so that it never outlives the one that started it.
func endWith(standardInput io.Reader, end context.CancelFunc) {
	_, _ = io.Copy(io.Discard, standardInput)
	klog.InfoS("Standard input ended, and so does this process")
	end()
}
