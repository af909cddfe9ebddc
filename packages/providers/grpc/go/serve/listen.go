package serve

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// listen opens a Unix socket with these permissions. What an earlier process left there is removed, unless something answers on it.
func listen(path string, mode os.FileMode) (net.Listener, error) {
	if err := removeLeftSocket(path); err != nil {
		return nil, err
	}
	// Nobody else may connect between the creation of the socket and the change of its permissions.
	before := syscall.Umask(0o177)
	listener, err := net.Listen("unix", path)
	syscall.Umask(before)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, mode); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

func removeLeftSocket(path string) error {
	found, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if found.Mode().Type() != os.ModeSocket {
		return fmt.Errorf("%s is there already and is no socket", path)
	}
	if connection, err := net.Dial("unix", path); err == nil {
		_ = connection.Close()
		return fmt.Errorf("another process listens on %s", path)
	}
	return os.Remove(path)
}
